//! Faults: calls that fail as a test wants.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::ControlError;
use crate::lock::lock;
use crate::operations;
use crate::setters::setters;
use crate::store::chance::Chance;

/// The longest delay, in seconds.
const LONGEST: f64 = 3600.0;
/// The greatest number of faults at once.
const MOST: usize = 1000;

/// How calls are to fail. Of several faults of one call the first that was made counts.
///
/// ```
/// use fedispec_standin::Fault;
///
/// let twice = Fault::operation("timelines.home").times(2).status(503);
/// let sometimes = Fault::path("/api/v1/*").probability(0.1).seed(7).cut(100);
/// # let _ = (twice, sometimes);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[must_use]
pub struct Fault {
    operation: Option<String>,
    path: Option<String>,
    method: Option<String>,
    times: Option<u32>,
    probability: Option<f64>,
    seed: Option<u64>,
    #[serde(flatten)]
    effect: Effect,
}

/// The effect of faults on a call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Effect {
    pub(crate) status: Option<u16>,
    pub(crate) headers: Map<String, Value>,
    pub(crate) body: Option<Value>,
    /// Seconds before the answer.
    pub(crate) delay: Option<f64>,
    /// Bytes of the body after which the connection breaks.
    pub(crate) cut: Option<usize>,
    pub(crate) malformed: bool,
    pub(crate) rate_limit: bool,
    pub(crate) drop_stream: bool,
}

impl Fault {
    /// A fault of an operation, by its id: `timelines.home`.
    pub fn operation(id: impl Into<String>) -> Self {
        Self { operation: Some(id.into()), ..Self::default() }
    }

    /// A fault of a path: `/api/v1/statuses/:id`, or `/api/*` for all that begin so.
    pub fn path(path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..Self::default() }
    }

    setters! {
        /// Sets the method of the calls; without it those of all methods fail.
        method(method: impl Into<String>) => method = Some(method.into());

        /// Sets how many calls fail; without it all do until the fault is removed.
        times(times: u32) => times = Some(times);

        /// Sets how probable it is that a call fails: 0 to 1.
        probability(probability: f64) => probability = Some(probability);

        /// Sets the seed of the probability, so that the same calls fail at every run.
        seed(seed: u64) => seed = Some(seed);

        /// Sets the status that is answered. The call does nothing else.
        status(status: u16) => effect.status = Some(status);
    }

    /// Sets a header of the answer.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.effect.headers.insert(name.into(), Value::String(value.into()));
        self
    }

    setters! {
        /// Sets the body that is answered. The call does nothing else.
        body(body: impl Into<String>) => effect.body = Some(Value::String(body.into()));

        /// Sets a time to wait before the call is taken. It passes by the machine's clock.
        delay(delay: Duration) => effect.delay = Some(delay.as_secs_f64());

        /// Breaks the connection after so many bytes of the body.
        cut(bytes: usize) => effect.cut = Some(bytes);

        /// Answers the first half of the body as if it were the whole.
        malformed() => effect.malformed = true;

        /// Answers as if the rate limit were used up.
        rate_limit() => effect.rate_limit = true;

        /// Ends the event streams that are open, and those that are opened while the fault is there once they have begun.
        drop_stream() => effect.drop_stream = true;
    }

    /// Says what is wrong with it.
    fn check(&self) -> Result<(), ControlError> {
        let wrong = |told: &str| ControlError::invalid(told);
        match (&self.operation, &self.path) {
            (Some(id), None) => operations::known(id).map_err(|near| {
                let near = near.join(", ");
                wrong(&format!("there is no operation {id:?}; the nearest are {near}"))
            })?,
            (None, Some(path)) => {
                let told = format!("the path {path:?} does not begin with /");
                refuse_if!(!path.starts_with('/'), wrong(&told));
            }
            _ => return Err(wrong("name either an operation or a path")),
        }
        if let Some(method) = &self.method {
            let is_none = axum::http::Method::from_bytes(method.as_bytes()).is_err();
            refuse_if!(is_none, wrong(&format!("{method:?} is no method")));
        }
        refuse_if!(self.times == Some(0), wrong("times is 0; leave it out for all calls"));
        let is_out = self.probability.is_some_and(|one| !(0.0..=1.0).contains(&one));
        refuse_if!(is_out, wrong("probability lies between 0 and 1"));
        self.effect.check()
    }

    fn fits(&self, operation: Option<&str>, method: &str, path: &str) -> bool {
        self.method.as_deref().is_none_or(|own| own.eq_ignore_ascii_case(method))
            && self.operation.as_deref().is_none_or(|own| operation == Some(own))
            && self.path.as_deref().is_none_or(|own| operations::fits(own, path))
    }
}

impl Effect {
    fn check(&self) -> Result<(), ControlError> {
        let wrong = |told: &str| ControlError::invalid(told);
        let told = "the fault has no effect; set status, headers, body, delay, cut, malformed, rate_limit or drop_stream";
        refuse_if!(*self == Self::default(), wrong(told));
        let is_out = self.status.is_some_and(|status| !(200..600).contains(&status));
        refuse_if!(is_out, wrong("the status lies between 200 and 599"));
        let is_out = self.delay.is_some_and(|delay| !(0.0..=LONGEST).contains(&delay));
        refuse_if!(is_out, wrong(&format!("the delay lies between 0 and {LONGEST} seconds")));
        for (name, value) in &self.headers {
            let told = format!("{name:?}: {value} is no header");
            refuse_if!(header(name, value).is_none(), wrong(&told));
        }
        Ok(())
    }

    /// The headers that it sets.
    pub(crate) fn headers(&self) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        self.headers.iter().filter_map(|(name, value)| header(name, value))
    }

    /// The status and body that are answered in place of the operation's; none where it is called.
    pub(crate) fn replaced(&self) -> Option<(StatusCode, Vec<u8>)> {
        if self.status.is_none() && self.body.is_none() {
            return None;
        }
        let status = self.status.and_then(|status| StatusCode::from_u16(status).ok());
        let status = status.unwrap_or_default();
        let reason = status.canonical_reason().unwrap_or("Failed");
        let body = match &self.body {
            Some(Value::String(text)) => text.clone(),
            Some(json) => json.to_string(),
            None if status.is_success() => "{}".to_owned(),
            None => serde_json::json!({ "error": reason }).to_string(),
        };
        Some((status, body.into_bytes()))
    }

    pub(crate) fn delay(&self) -> Option<Duration> {
        self.delay.and_then(|delay| Duration::try_from_secs_f64(delay).ok())
    }
}

fn header(name: &str, value: &Value) -> Option<(HeaderName, HeaderValue)> {
    let value = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    Some((name.parse().ok()?, value.parse().ok()?))
}

/// A fault that is in force.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct InForce {
    pub(crate) id: u64,
    #[serde(flatten)]
    pub(crate) fault: Fault,
    /// How many calls have failed.
    pub(crate) met: u32,
    #[serde(skip)]
    chance: Chance,
}

/// The faults in force.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    last: u64,
    faults: Vec<InForce>,
}

impl Faults {
    /// Puts a fault in force. The chance is for probabilities without a seed.
    pub(crate) fn add(&self, fault: Fault, chance: Chance) -> Result<InForce, ControlError> {
        fault.check()?;
        let mut kept = lock(&self.0);
        if kept.faults.len() == MOST {
            return Err(ControlError::Invalid(format!("there are {MOST} faults; remove some")));
        }
        kept.last += 1;
        let chance = fault.seed.map_or(chance, Chance::seeded);
        let added = InForce { id: kept.last, fault, met: 0, chance };
        kept.faults.push(added.clone());
        Ok(added)
    }

    /// Counts a call, and returns the effect of the faults on it.
    pub(crate) fn meet(&self, operation: Option<&str>, method: &str, path: &str) -> Option<Effect> {
        let mut kept = lock(&self.0);
        let met = kept.faults.iter_mut().find_map(|one| {
            let fault = &one.fault;
            let is_over = fault.times.is_some_and(|times| one.met >= times);
            if is_over || !fault.fits(operation, method, path) {
                return None;
            }
            let probability = fault.probability;
            if probability.is_some_and(|probability| one.chance.fraction() >= probability) {
                return None;
            }
            one.met += 1;
            Some(one.fault.effect.clone())
        });
        kept.faults.retain(|one| one.fault.times.is_none_or(|times| one.met < times));
        met
    }

    pub(crate) fn all(&self) -> Vec<InForce> {
        lock(&self.0).faults.clone()
    }

    /// Removes a fault. Answers whether it was there.
    pub(crate) fn remove(&self, id: u64) -> bool {
        let mut kept = lock(&self.0);
        let before = kept.faults.len();
        kept.faults.retain(|one| one.id != id);
        kept.faults.len() < before
    }

    pub(crate) fn clear(&self) {
        lock(&self.0).faults.clear();
    }
}

impl InForce {
    /// The fault as JSON, without what it does not set.
    pub(crate) fn shown(&self) -> Value {
        let mut shown = serde_json::to_value(self).unwrap_or_default();
        if let Some(members) = shown.as_object_mut() {
            let is_set = |value: &Value| !matches!(value, Value::Null | Value::Bool(false));
            members.retain(|_, value| is_set(value) && *value != Value::Object(Map::new()));
        }
        shown
    }

    pub(crate) fn drops_streams(&self) -> bool {
        self.fault.effect.drop_stream
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(faults: &Faults, fault: Fault) -> Result<u64, String> {
        let added = faults.add(fault, Chance::seeded(0));
        added.map(|one| one.id).map_err(|error| error.to_string())
    }

    #[test]
    fn a_fault_is_met_as_often_as_it_says() {
        let faults = Faults::default();
        add(&faults, Fault::operation("timelines.home").times(2).status(503)).expect("a fault");
        let meet = |id| faults.meet(Some(id), "GET", "/").map(|met| met.status);
        assert_eq!(meet("timelines.public"), None);
        assert_eq!([meet("timelines.home"), meet("timelines.home")], [Some(Some(503)); 2]);
        assert_eq!(meet("timelines.home"), None);
        assert!(faults.all().is_empty());
    }

    #[test]
    fn the_same_seed_fails_the_same_calls() {
        let met = || {
            let faults = Faults::default();
            let fault = Fault::path("/api/*").probability(0.5).seed(7).malformed();
            add(&faults, fault).expect("a fault");
            let meet = |_| faults.meet(None, "GET", "/api/v1/x").is_some();
            (0..200).map(meet).collect::<Vec<_>>()
        };
        assert_eq!(met(), met());
        let failed = met().iter().filter(|met| **met).count();
        assert!((70..130).contains(&failed), "{failed}");
    }

    #[test]
    fn what_is_wrong_with_a_fault_is_told() {
        let faults = Faults::default();
        for (fault, told) in [
            (Fault::operation("timelines.hom").status(500), "the nearest are timelines.home"),
            (Fault::default().status(500), "either an operation or a path"),
            (Fault::path("api").status(500), "does not begin with /"),
            (Fault::path("/api"), "no effect"),
            (Fault::path("/api").status(99), "between 200 and 599"),
            (Fault::path("/api").status(500).times(0), "times is 0"),
            (Fault::path("/api").status(500).probability(1.5), "between 0 and 1"),
            (Fault::path("/api").status(500).probability(f64::NAN), "between 0 and 1"),
            (Fault::path("/api").header("a b", "c"), "is no header"),
            (Fault::path("/api").delay(Duration::from_secs(4000)), "between 0 and 3600"),
        ] {
            let error = add(&faults, fault).expect_err(told);
            assert!(error.contains(told), "{error}");
        }
        assert!(faults.all().is_empty());
    }
}
