//! The version attribute: what it gives. What it refuses stands beside the macros.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "the types are asked, not used")]

use fedispec_runtime::{Availability, DatedFields, Since};

#[derive(Since)]
#[since(mastodon = "3.4.0", gotosocial = never, pleroma = "2.0.0-rc.1")]
pub struct Plain<'a, T: Clone>
where
    T: Default,
{
    #[since(mastodon = "3.5.0", gotosocial = unknown)]
    pub r#type: &'a str,
    pub undated: T,
    #[doc = "A comment between."]
    #[since(mastodon = "4.0.0")]
    pub last: u8,
}

#[derive(Since)]
enum Values {
    #[since(mastodon = "1.0.0")]
    Unit,
    #[since(gotosocial = "0.5.0")]
    Tuple(u8),
    Other {
        field: u8,
    },
}

#[derive(Since)]
#[since(mastodon = "1.0.0")]
struct Unit;

#[derive(Since)]
struct Tuple(#[since(mastodon = "1.0.0")] u8, u8, #[since(mastodon = "2.0.0")] u8);

fn names(fields: DatedFields) -> Vec<&'static str> {
    fields.iter().map(|(name, _)| name).collect()
}

#[test]
fn the_derive_gives_something_to_ask() {
    type Asked = Plain<'static, u8>;
    assert_eq!(Asked::SINCE.of("mastodon"), Some(Availability::since(3, 4, 0)));
    assert_eq!(Asked::SINCE.of("gotosocial"), Some(Availability::Never));
    let rc = "2.0.0-rc.1".parse().expect("a version");
    assert_eq!(Asked::SINCE.of("pleroma"), Some(Availability::Since(rc)));
    assert_eq!(Asked::SINCE.of("akkoma"), None);
    assert_eq!(names(Asked::FIELDS), ["type", "last"]);
    assert_eq!(Asked::FIELDS.get("type").of("gotosocial"), Some(Availability::Unknown));
    assert_eq!(names(Values::FIELDS), ["Unit", "Tuple"]);
    assert!(Values::SINCE.is_empty());
    assert_eq!((Unit::SINCE.iter().count(), Unit::FIELDS.iter().count()), (1, 0));
    assert_eq!(names(Tuple::FIELDS), ["0", "2"]);
}

// The attribute macro, in a module of its own: beside the derive its name would mean two things.
mod attribute {
    use fedispec_runtime::{Since, since};

    /// A struct of a user's own.
    #[since(mastodon = "4.0.0", gotosocial = "0.16.0")]
    #[derive(Debug, Default)]
    pub(crate) struct Own<T = u8> {
        #[since(mastodon = "4.1.0")]
        pub(crate) dated: T,
        pub(crate) undated: u8,
    }

    #[derive(Clone)]
    #[since(crate = fedispec_runtime, mastodon = "4.0.0")]
    pub enum Choice {
        #[since(mastodon = "4.2.0")]
        One,
        Two,
    }

    #[since(mastodon = "1.0.0")]
    pub fn function() -> &'static str {
        "called"
    }

    pub trait Methods {
        #[since(mastodon = "1.0.0", gotosocial = never)]
        fn required(&self) -> u8;
        #[since(mastodon = "1.0.0")]
        fn provided(&self) -> u8 {
            self.required() + 1
        }
        #[since(mastodon = "1.0.0")]
        const NUMBER: u8;
    }

    impl Methods for Own {
        #[since(mastodon = "1.0.0")]
        fn required(&self) -> u8 {
            self.dated
        }
        const NUMBER: u8 = 3;
    }

    #[since(mastodon = "1.0.0")]
    pub mod module {
        pub const INSIDE: u8 = 1;
    }

    #[test]
    fn it_gives_structs_something_to_ask_and_leaves_the_rest() {
        assert_eq!(Own::<u8>::SINCE.iter().count(), 2);
        assert!(Own::<u8>::FIELDS.iter().map(|(name, _)| name).eq(["dated"]));
        assert!(Choice::FIELDS.iter().map(|(name, _)| name).eq(["One"]));
        assert_eq!(function(), "called");
        assert_eq!((Own::default().provided(), Own::NUMBER), (1, 3));
        assert_eq!(module::INSIDE, 1);
        let _ = (Own::<u8>::default().undated, Choice::Two);
    }
}
