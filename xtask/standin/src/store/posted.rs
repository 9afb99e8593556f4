//! The statuses by id, and the indexes by which they are found among many.

use std::cell::RefCell;
use std::ops::{Deref, Range};

use serde::{Deserializer, Serializer};

use super::prelude::*;
use super::statuses::Status;

/// A label by which statuses are found among many.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Label {
    By(Key),
    Tag(String),
    /// It has attachments.
    Media,
    /// Its text may have a link.
    Link,
    /// Somebody has favourited, boosted or answered it.
    Noticed,
    Pinned,
    /// An account has favourited or bookmarked it.
    KeptBy(Key),
}

impl Label {
    fn of(status: &Status) -> impl Iterator<Item = Self> {
        let is_noticed = !status.favourites.is_empty()
            || !status.boosts.is_empty()
            || !status.replies.is_empty();
        let labels = [
            (true, Self::By(status.account)),
            (!status.draft.media.is_empty(), Self::Media),
            (status.draft.text.contains("://"), Self::Link),
            (is_noticed, Self::Noticed),
            (status.pinned.is_some(), Self::Pinned),
        ];
        let labels = labels.into_iter().filter_map(|(has, label)| has.then_some(label));
        let kept = status.favourites.keys().chain(status.bookmarks.keys());
        let tags = status.tags.iter().cloned().map(Self::Tag);
        labels.chain(kept.map(|account| Self::KeptBy(*account))).chain(tags)
    }
}

/// The numbers of statuses by day, account and language.
type Days = BTreeMap<(Millis, Key, Option<String>), usize>;

/// The statuses of an account on a day in a language.
pub(crate) struct Posted<'s> {
    pub(crate) day: Millis,
    pub(crate) author: Key,
    /// None of boosts.
    pub(crate) language: Option<&'s str>,
    pub(crate) count: usize,
}

/// The ids that there can be.
pub(crate) const ALL: Range<Key> = Key(0)..Key(u64::MAX);

/// The statuses by id. What an index is made of is changed here alone.
#[derive(Debug, Default)]
pub(crate) struct Statuses {
    by_id: BTreeMap<Key, Status>,
    labelled: BTreeMap<Label, BTreeSet<Key>>,
    days: Days,
    /// The days of each tag.
    tag_days: BTreeMap<String, Days>,
    /// By id. Of those that are gone no marks are left.
    briefs: Vec<Brief>,
    /// The statuses that have changed since they were last saved; none where nobody knows, as before the first time.
    changed: RefCell<Option<BTreeSet<Key>>>,
}

impl Statuses {
    pub(crate) fn insert(&mut self, key: Key, status: Status) {
        self.remove(key);
        self.note(key);
        for label in Label::of(&status) {
            self.labelled.entry(label).or_default().insert(key);
        }
        let marks = marks([&status.draft.text, &status.draft.spoiler_text]);
        let brief = Brief { key, at: status.at, marks };
        match self.briefs.binary_search_by_key(&key, |brief| brief.key) {
            Ok(place) => self.briefs[place] = brief,
            Err(place) => self.briefs.insert(place, brief),
        }
        self.count(&status, |count| *count += 1);
        self.by_id.insert(key, status);
    }

    pub(crate) fn remove(&mut self, key: Key) -> Option<Status> {
        let status = self.by_id.remove(&key)?;
        self.note(key);
        for label in Label::of(&status) {
            if let Some(keys) = self.labelled.get_mut(&label) {
                keys.remove(&key);
            }
        }
        if let Ok(place) = self.briefs.binary_search_by_key(&key, |brief| brief.key) {
            self.briefs[place].marks = Marks::default();
        }
        self.count(&status, |count| *count -= 1);
        Some(status)
    }

    /// Counts a status among those of its day.
    fn count(&mut self, status: &Status, change: impl Fn(&mut usize)) {
        let language = status.draft.language.as_deref().unwrap_or("und");
        let language = status.reblog_of.is_none().then(|| language.to_owned());
        let place = (day_of(status.at), status.account, language);
        for tag in &status.tags {
            let days = self.tag_days.entry(tag.clone()).or_default();
            change(days.entry(place.clone()).or_default());
        }
        change(self.days.entry(place).or_default());
    }

    /// Changes a status, if there is one of this id.
    pub(crate) fn change<T>(
        &mut self,
        key: Key,
        change: impl FnOnce(&mut Status) -> T,
    ) -> Option<T> {
        let mut status = self.remove(key)?;
        let told = change(&mut status);
        self.insert(key, status);
        Some(told)
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

    /// The statuses of an account, the oldest first.
    pub(crate) fn of(&self, account: Key) -> impl DoubleEndedIterator<Item = &Status> {
        self.with(Label::By(account)).filter(move |status| status.account == account)
    }

    /// The number of statuses of an account.
    pub(crate) fn count_of(&self, account: Key) -> usize {
        self.labelled.get(&Label::By(account)).map_or(0, BTreeSet::len)
    }

    /// Statuses among which all are that have a label, the oldest first.
    pub(crate) fn with(&self, label: Label) -> impl DoubleEndedIterator<Item = &Status> {
        self.among(&[label], ALL)
    }

    /// Statuses of a range of ids among which all are that have these labels, the oldest first.
    pub(crate) fn among(
        &self,
        labels: &[Label],
        keys: Range<Key>,
    ) -> Box<dyn DoubleEndedIterator<Item = &Status> + '_> {
        let sets = labels.iter().map(|label| self.labelled.get(label));
        let length = |set: Option<&BTreeSet<Key>>| set.map_or(0, BTreeSet::len);
        match sets.min_by_key(|set| length(*set)) {
            Some(rarest) if length(rarest) * 2 <= self.by_id.len() => {
                let keys = rarest.into_iter().flat_map(move |own| own.range(keys.clone()));
                Box::new(keys.filter_map(|key| self.by_id.get(key)))
            }
            // Where most statuses have each, all are gone through in less time than those are looked up.
            _ => Box::new(self.by_id.range(keys).map(|(_, status)| status)),
        }
    }

    /// Counts what was posted on the days that begin within a time, the oldest first: with a tag, or all.
    pub(crate) fn posted(
        &self,
        tag: Option<&str>,
        time: Range<Millis>,
    ) -> impl Iterator<Item = Posted<'_>> {
        let first = |day| (day, Key::default(), None);
        let time = first(time.start)..first(time.end.max(time.start));
        let days = tag.map_or(Some(&self.days), |tag| self.tag_days.get(tag)).into_iter();
        let within = days.flat_map(move |all| all.range(time.clone()));
        within.filter(|(_, count)| **count > 0).map(|((day, author, language), count)| Posted {
            day: *day,
            author: *author,
            language: language.as_deref(),
            count: *count,
        })
    }

    /// The statuses of a time that may have words in lower case in their texts, and all that do have them, the oldest first.
    pub(crate) fn may_have(
        &self,
        words: &str,
        time: Range<Millis>,
    ) -> Box<dyn DoubleEndedIterator<Item = &Status> + '_> {
        let wanted = marks(words.split_whitespace());
        let found = self.briefs.iter().filter(move |one| {
            let mut marks = one.marks.iter().zip(&wanted);
            time.contains(&one.at) && marks.all(|(own, wanted)| own & wanted == *wanted)
        });
        Box::new(found.filter_map(|one| self.by_id.get(&one.key)))
    }
}

/// The part of a status by which a search tells that it is not meant.
#[derive(Debug)]
struct Brief {
    key: Key,
    at: Millis,
    marks: Marks,
}

/// A bit for each two and three bytes that follow each other; several may have the same.
type Marks = [u64; 16];

fn marks(texts: impl IntoIterator<Item = impl AsRef<str>>) -> Marks {
    let mut marks = Marks::default();
    for text in texts {
        let text = text.as_ref().to_lowercase();
        for part in text.as_bytes().windows(2).chain(text.as_bytes().windows(3)) {
            let hash = part.iter().fold(0, |hash, byte| hash * 31 + usize::from(*byte)) % 1024;
            marks[hash / 64] |= 1 << (hash % 64);
        }
    }
    marks
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
    use super::super::clock::DAY;
    use super::super::statuses::Draft;
    use super::*;

    #[test]
    fn indexes_follow_what_changes() {
        let mut own = Statuses::default();
        for key in 7..12 {
            let text = if key < 9 { "#tea" } else { "" };
            let at = if key < 8 { 0 } else { DAY };
            let status = Status::new(Key(key), Key(key % 2), at, Draft::text(text));
            own.insert(Key(key), status);
        }
        let ids = |found: &mut dyn Iterator<Item = &Status>| -> Vec<u64> {
            found.map(|status| status.id.0).collect()
        };
        let tagged = |own: &Statuses, tag: &str| ids(&mut own.with(Label::Tag(tag.to_owned())));
        let posted = |own: &Statuses, tag, time| -> usize {
            own.posted(tag, time).map(|posted| posted.count).sum()
        };
        assert_eq!(ids(&mut own.of(Key(1)).rev()), [11, 9, 7]);
        assert_eq!((posted(&own, None, 0..DAY), posted(&own, None, 0..DAY + 1)), (1, 5));
        assert_eq!(ids(&mut own.may_have("te", 0..9 * DAY)), [7, 8]);
        assert!(ids(&mut own.may_have("xyz", 0..9 * DAY)).is_empty());
        assert_eq!(ids(&mut own.may_have("te", 0..DAY)), [7]);
        let both = [Label::Tag("tea".to_owned()), Label::By(Key(1))];
        assert_eq!(ids(&mut own.among(&both, Key(8)..Key(12))), [8]);
        own.change(Key(7), |status| {
            status.at = 2 * DAY;
            status.tags = vec!["milk".to_owned()];
            status.favourites.insert(Key(3), Key(3));
        });
        assert_eq!((tagged(&own, "tea"), tagged(&own, "milk")), (vec![8], vec![7]));
        assert_eq!(ids(&mut own.with(Label::KeptBy(Key(3)))), [7]);
        assert_eq!((posted(&own, None, 0..DAY), posted(&own, Some("milk"), 0..3 * DAY)), (0, 1));
        own.remove(Key(8));
        assert_eq!((own.count_of(Key(0)), posted(&own, Some("tea"), 0..9 * DAY)), (1, 0));
        let text = serde_json::to_string(&own).expect("JSON");
        let read: Statuses = serde_json::from_str(&text).expect("read back");
        assert_eq!(tagged(&read, "milk"), [7]);
    }
}
