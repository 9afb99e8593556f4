use fedispec_runtime as rt;

#[derive(Debug, Clone, PartialEq, rt::Entity)]
#[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
pub struct Account {
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    pub id: rt::Id<Account>,
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    pub acct: String,
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    pub created_at: rt::Timestamp,
    #[since(mastodon = "2.4.0", gotosocial = "0.1.0")]
    pub emojis: Vec<CustomEmoji>,
    #[since(mastodon = "2.1.0", gotosocial = "0.11.0")]
    #[entity(optional)]
    pub moved: Option<Box<Account>>,
    #[since(mastodon = "3.3.0", gotosocial = unknown)]
    pub last_status_at: Option<rt::Timestamp>,
    #[since(mastodon = "4.3.0", gotosocial = never)]
    #[entity(optional)]
    pub visibility: Option<Visibility>,
    #[doc(hidden)]
    #[entity(skip)]
    pub non_exhaustive: rt::NonExhaustive,
}

#[derive(Debug, Clone, PartialEq, rt::Entity)]
#[since(mastodon = "2.0.0", gotosocial = "0.1.0")]
pub struct CustomEmoji {
    #[since(mastodon = "2.0.0", gotosocial = "0.1.0")]
    pub shortcode: String,
    #[doc(hidden)]
    #[entity(skip)]
    pub non_exhaustive: rt::NonExhaustive,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, rt::Since)]
#[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
#[non_exhaustive]
pub enum Visibility {
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    Public,
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    Private,
    /// A value that is not listed, as it came.
    Unrecognized(Box<str>),
}

rt::open_enum!(Visibility {
    Public = "public",
    Private = "private",
});

#[derive(Debug, Clone, PartialEq, rt::Entity)]
#[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
pub struct Token {
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    pub access_token: rt::Secret,
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    pub scope: String,
    #[doc(hidden)]
    #[entity(skip)]
    pub non_exhaustive: rt::NonExhaustive,
}

pub mod required {
    use fedispec_runtime as rt;

    #[derive(Debug, Clone)]
    pub struct Account {
        pub id: rt::Id<super::Account>,
        pub acct: String,
        pub created_at: rt::Timestamp,
    }

    impl From<Account> for super::Account {
        fn from(required: Account) -> Self {
            Self {
                id: required.id,
                acct: required.acct,
                created_at: required.created_at,
                emojis: Vec::new(),
                moved: None,
                last_status_at: None,
                visibility: None,
                non_exhaustive: rt::NonExhaustive::default(),
            }
        }
    }
}
