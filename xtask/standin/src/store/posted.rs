//! The statuses by id, and the indexes by which they are found among many.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, Range};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Key;
use super::clock::Millis;
use super::statuses::Status;

/// The statuses by id. What an index is made of is changed here alone.
#[derive(Debug, Default)]
pub(crate) struct Statuses {
    by_id: BTreeMap<Key, Status>,
    by_account: BTreeMap<Key, BTreeSet<Key>>,
    by_tag: BTreeMap<String, BTreeSet<Key>>,
    /// The accounts that have used each tag, by the time.
    uses: BTreeMap<String, BTreeMap<(Millis, Key), Key>>,
    by_time: BTreeSet<(Millis, Key)>,
    /// Marks of the pairs of letters in each text, by which most texts are told from those that have a word.
    pairs: BTreeMap<Key, u128>,
    /// The statuses that have changed since they were last saved; none where nobody knows, as before the first time.
    changed: RefCell<Option<BTreeSet<Key>>>,
}

impl Statuses {
    pub(crate) fn insert(&mut self, key: Key, status: Status) {
        self.remove(key);
        self.note(key);
        self.by_account.entry(status.account).or_default().insert(key);
        self.by_time.insert((status.at, key));
        let texts = [&status.draft.text, &status.draft.spoiler_text];
        self.pairs.insert(key, texts.iter().fold(0, |all, text| all | pairs(&text.to_lowercase())));
        for tag in &status.tags {
            self.by_tag.entry(tag.clone()).or_default().insert(key);
            let uses = self.uses.entry(tag.clone()).or_default();
            uses.insert((status.at, key), status.account);
        }
        self.by_id.insert(key, status);
    }

    pub(crate) fn remove(&mut self, key: Key) -> Option<Status> {
        let status = self.by_id.remove(&key)?;
        self.note(key);
        self.by_time.remove(&(status.at, key));
        self.pairs.remove(&key);
        take(&mut self.by_account, &status.account, key);
        for tag in &status.tags {
            take(&mut self.by_tag, tag, key);
            if let Some(uses) = self.uses.get_mut(tag) {
                uses.remove(&(status.at, key));
            }
        }
        Some(status)
    }

    /// A status, of which the author, the tags and the time stay.
    pub(crate) fn get_mut(&mut self, key: Key) -> Option<&mut Status> {
        self.note(key);
        self.by_id.get_mut(&key)
    }

    /// All statuses, with the same condition.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Status> {
        *self.changed.get_mut() = None;
        self.by_id.values_mut()
    }

    fn note(&mut self, key: Key) {
        if let Some(changed) = self.changed.get_mut() {
            changed.insert(key);
        }
    }

    /// Takes the statuses that have changed since this was last asked for, and what has become of them; `None` where all have to be saved.
    pub(crate) fn take_changes(&self) -> Option<BTreeMap<Key, Option<&Status>>> {
        let changed = self.changed.replace(Some(BTreeSet::new()))?;
        Some(changed.into_iter().map(|key| (key, self.by_id.get(&key))).collect())
    }

    /// Changes a status in any of its parts.
    pub(crate) fn replace(&mut self, key: Key, change: impl FnOnce(&mut Status)) {
        if let Some(mut status) = self.remove(key) {
            change(&mut status);
            self.insert(key, status);
        }
    }

    /// The statuses of an account, the oldest first.
    pub(crate) fn of(&self, account: Key) -> impl DoubleEndedIterator<Item = &Status> + Clone {
        let keys = self.by_account.get(&account);
        // Where most statuses are the account's, all of them are looked through in less time than those are looked up.
        let is_most = keys.is_some_and(|keys| keys.len() * 2 > self.by_id.len());
        let all = is_most.then(|| self.by_id.values()).into_iter().flatten();
        let own = all.filter(move |status| status.account == account);
        own.chain(self.those(keys.filter(|_| !is_most)))
    }

    /// The number of statuses of an account.
    pub(crate) fn count_of(&self, account: Key) -> usize {
        self.by_account.get(&account).map_or(0, BTreeSet::len)
    }

    /// The statuses with a tag, the oldest first.
    pub(crate) fn tagged(&self, name: &str) -> impl DoubleEndedIterator<Item = &Status> + Clone {
        self.those(self.by_tag.get(name))
    }

    /// The accounts that have used a tag within a time, each as often as it did.
    pub(crate) fn uses(&self, name: &str, time: Range<Millis>) -> impl Iterator<Item = Key> {
        let (start, end) = (time.start, time.end.max(time.start));
        let uses = self.uses.get(name).into_iter();
        let within =
            uses.flat_map(move |uses| uses.range((start, Key::default())..(end, Key::default())));
        within.map(|(_, account)| *account)
    }

    /// The statuses of a time, the oldest first.
    pub(crate) fn within(
        &self,
        time: Range<Millis>,
    ) -> impl DoubleEndedIterator<Item = &Status> + Clone {
        // As with those of an account.
        let is_most = self.count_within(time.clone()) * 2 > self.by_id.len();
        let all = is_most.then(|| self.by_id.values()).into_iter().flatten();
        let keys = (!is_most).then(|| self.keys_within(time.clone())).into_iter().flatten();
        let few = keys.filter_map(|key| self.by_id.get(&key));
        all.filter(move |status| time.contains(&status.at)).chain(few)
    }

    /// The statuses that may have words in lower case in their texts, and all that do have them, the oldest first.
    pub(crate) fn may_have(&self, words: &str) -> impl DoubleEndedIterator<Item = &Status> {
        let wanted = words.split_whitespace().fold(0, |all, word| all | pairs(word));
        let found = self.pairs.iter().filter(move |(_, own)| **own & wanted == wanted);
        found.filter_map(|(key, _)| self.by_id.get(key))
    }

    /// Their number.
    pub(crate) fn count_within(&self, time: Range<Millis>) -> usize {
        self.keys_within(time).count()
    }

    fn keys_within(&self, time: Range<Millis>) -> impl DoubleEndedIterator<Item = Key> + Clone {
        let end = time.end.max(time.start);
        let found = self.by_time.range((time.start, Key::default())..(end, Key::default()));
        found.map(|(_, key)| *key)
    }

    fn those<'s>(
        &'s self,
        keys: Option<&'s BTreeSet<Key>>,
    ) -> impl DoubleEndedIterator<Item = &'s Status> + Clone {
        keys.into_iter().flatten().filter_map(|key| self.by_id.get(key))
    }
}

/// A bit for each two bytes that follow each other; two pairs may have the same.
fn pairs(text: &str) -> u128 {
    let pairs = text.as_bytes().windows(2);
    let place = |pair: &[u8]| (u32::from(pair[0]) * 31 + u32::from(pair[1])) % 128;
    pairs.fold(0, |all, pair| all | (1 << place(pair)))
}

/// Takes a key out of an index.
fn take<I, Q>(index: &mut BTreeMap<I, BTreeSet<Key>>, of: &Q, key: Key)
where
    I: Ord + std::borrow::Borrow<Q>,
    Q: Ord + ?Sized,
{
    if let Some(keys) = index.get_mut(of) {
        keys.remove(&key);
        if keys.is_empty() {
            index.remove(of);
        }
    }
}

impl Deref for Statuses {
    type Target = BTreeMap<Key, Status>;

    fn deref(&self) -> &BTreeMap<Key, Status> {
        &self.by_id
    }
}

impl Serialize for Statuses {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.by_id.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Statuses {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut own = Self::default();
        for (key, status) in BTreeMap::deserialize(from)? {
            own.insert(key, status);
        }
        Ok(own)
    }
}

#[cfg(test)]
mod tests {
    use super::super::statuses::Draft;
    use super::*;

    #[test]
    fn indexes_follow_what_changes() {
        let mut own = Statuses::default();
        let status = |key, at| Status::new(Key(key), Key(1), at, Draft::text("#tea"));
        own.insert(Key(7), status(7, 100));
        own.insert(Key(8), status(8, 200));
        let ids = |found: &mut dyn Iterator<Item = &Status>| -> Vec<u64> {
            found.map(|status| status.id.0).collect()
        };
        assert_eq!(ids(&mut own.of(Key(1)).rev()), [8, 7]);
        assert_eq!(ids(&mut own.within(100..200)), [7]);
        assert_eq!(ids(&mut own.within(100..201)), [7, 8]);
        assert_eq!(
            (ids(&mut own.may_have("te")), ids(&mut own.may_have("xyz"))),
            (vec![7, 8], vec![])
        );
        own.replace(Key(7), |status| {
            status.at = 300;
            status.tags = vec!["milk".to_owned()];
        });
        assert_eq!((ids(&mut own.tagged("tea")), ids(&mut own.tagged("milk"))), (vec![8], vec![7]));
        assert_eq!((own.count_within(100..200), own.count_within(300..301)), (0, 1));
        let uses = |name, time| own.uses(name, time).count();
        assert_eq!((uses("milk", 300..301), uses("milk", 0..300), uses("tea", 0..900)), (1, 0, 1));
        own.remove(Key(8));
        assert_eq!((own.count_of(Key(1)), own.len()), (1, 1));
        let text = serde_json::to_string(&own).expect("JSON");
        let read: Statuses = serde_json::from_str(&text).expect("read back");
        assert_eq!(ids(&mut read.tagged("milk")), [7]);
    }
}
