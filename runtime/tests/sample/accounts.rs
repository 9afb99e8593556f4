use fedispec_runtime as rt;

use super::entities;

/// Looks up an account by its address.
#[derive(Debug, Clone, PartialEq, rt::Since)]
#[since(mastodon = "3.4.0", gotosocial = "0.11.0")]
#[non_exhaustive]
pub struct Lookup {
    #[since(mastodon = "3.4.0", gotosocial = "0.11.0")]
    pub acct: String,
}

impl Lookup {
    pub fn new(acct: impl Into<String>) -> Self {
        Self { acct: acct.into() }
    }
}

impl rt::Request for Lookup {
    type Answer = entities::Account;
    const OPERATION: &'static rt::Operation =
        &rt::Operation::new("accounts.lookup", rt::Method::Get, "/api/v1/accounts/lookup")
            .auth(rt::Auth::new(rt::TokenKind::None, ""))
            .params(&[rt::Param::query("acct")]);
}

impl rt::client::Encode for Lookup {
    fn encode<'a>(&'a self, to: &mut rt::codegen::Encoder<'a>) {
        to.required(0, &self.acct);
    }
}

rt::decode!(Lookup { acct = required(0) });

/// The followers of an account.
#[derive(Debug, Clone, PartialEq, rt::Since)]
#[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
#[non_exhaustive]
pub struct Followers {
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    pub id: rt::Id<entities::Account>,
    #[since(mastodon = "1.4.2", gotosocial = "0.1.0")]
    pub max_id: Option<rt::Cursor>,
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    pub limit: Option<i64>,
    #[since(mastodon = "4.3.0", gotosocial = never)]
    pub visibility: Vec<entities::Visibility>,
}

impl Followers {
    pub fn new(id: impl Into<rt::Id<entities::Account>>) -> Self {
        Self { id: id.into(), max_id: None, limit: None, visibility: Vec::new() }
    }
    #[must_use]
    pub fn max_id(mut self, max_id: impl Into<rt::Cursor>) -> Self {
        self.max_id = Some(max_id.into());
        self
    }
    #[must_use]
    pub fn limit(mut self, limit: i64) -> Self {
        self.limit = Some(limit);
        self
    }
    #[must_use]
    pub fn visibility(
        mut self,
        visibility: impl IntoIterator<Item = impl Into<entities::Visibility>>,
    ) -> Self {
        self.visibility = visibility.into_iter().map(Into::into).collect();
        self
    }
}

impl rt::Request for Followers {
    type Answer = rt::Page<entities::Account>;
    const OPERATION: &'static rt::Operation = &rt::Operation::new(
        "accounts.followers",
        rt::Method::Get,
        "/api/v1/accounts/:id/followers",
    )
    .auth(rt::Auth::new(rt::TokenKind::User, "read:accounts"))
    .paging(rt::Paging::Link)
    .params(&[
        rt::Param::path("id"),
        rt::Param::query("max_id"),
        rt::Param::query("limit"),
        rt::Param::query("visibility[]"),
    ]);
}

impl rt::client::Encode for Followers {
    fn encode<'a>(&'a self, to: &mut rt::codegen::Encoder<'a>) {
        to.required(0, &self.id);
        to.optional(1, &self.max_id);
        to.optional(2, &self.limit);
        to.list(3, &self.visibility);
    }
}

rt::decode!(Followers { id = required(0), max_id = optional(1), limit = optional(2), visibility = list(3) });

/// Changes one's own account.
#[derive(Debug, Clone, Default, PartialEq, rt::Since)]
#[since(mastodon = "1.1.1", gotosocial = "0.1.0")]
#[non_exhaustive]
pub struct Update {
    #[since(mastodon = "1.1.1", gotosocial = "0.1.0")]
    pub display_name: Option<String>,
    #[since(mastodon = "1.1.1", gotosocial = "0.1.0")]
    pub avatar: Option<rt::File>,
    #[since(mastodon = "2.4.0", gotosocial = "0.1.0")]
    pub locked: Option<bool>,
    #[since(mastodon = "2.4.0", gotosocial = "0.1.0")]
    pub source_privacy: Option<entities::Visibility>,
    pub fields_attributes: Vec<UpdateFieldsAttributes>,
    #[since(mastodon = "2.4.0", gotosocial = unknown)]
    pub extra: Option<rt::Json>,
}

#[derive(Debug, Clone, Default, PartialEq, rt::Since)]
#[non_exhaustive]
pub struct UpdateFieldsAttributes {
    #[since(mastodon = "2.4.0", gotosocial = "0.1.0")]
    pub name: Option<String>,
    #[since(mastodon = "2.4.0", gotosocial = "0.1.0")]
    pub value: Option<String>,
}

impl UpdateFieldsAttributes {
    pub fn new() -> Self {
        Self::default()
    }
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
    #[must_use]
    pub fn value(mut self, value: impl Into<String>) -> Self {
        self.value = Some(value.into());
        self
    }
}

impl rt::Request for Update {
    type Answer = entities::Account;
    const OPERATION: &'static rt::Operation = &rt::Operation::new(
        "accounts.update",
        rt::Method::Patch,
        "/api/v1/accounts/update_credentials",
    )
    .auth(rt::Auth::new(rt::TokenKind::User, "write:accounts"))
    .body(rt::BodyEncoding::Multipart)
    .params(&[
        rt::Param::form("display_name"),
        rt::Param::file("avatar"),
        rt::Param::form("locked"),
        rt::Param::form("source[privacy]"),
        rt::Param::form("fields_attributes[:index][name]"),
        rt::Param::form("fields_attributes[:index][value]"),
        rt::Param::unknown("extra"),
    ]);
}

impl rt::client::Encode for Update {
    fn encode<'a>(&'a self, to: &mut rt::codegen::Encoder<'a>) {
        to.optional(0, &self.display_name);
        to.optional(1, &self.avatar);
        to.optional(2, &self.locked);
        to.optional(3, &self.source_privacy);
        to.objects(4, &self.fields_attributes);
        to.optional(6, &self.extra);
    }
}

impl rt::client::Encode for UpdateFieldsAttributes {
    fn encode<'a>(&'a self, to: &mut rt::codegen::Encoder<'a>) {
        to.optional(4, &self.name);
        to.optional(5, &self.value);
    }
}

rt::decode!(Update { display_name = optional(0), avatar = optional(1), locked = optional(2), source_privacy = optional(3), fields_attributes = objects(4), extra = optional(6) });

rt::decode!(UpdateFieldsAttributes { name = optional(4), value = optional(5) });

/// Makes a filter: a list of objects, whose elements only brackets tell apart.
#[derive(Debug, Clone, PartialEq, rt::Since)]
#[since(mastodon = "4.0.0", gotosocial = "0.16.0")]
#[non_exhaustive]
pub struct Filter {
    #[since(mastodon = "4.0.0", gotosocial = "0.16.0")]
    pub title: String,
    #[since(mastodon = "4.0.0", gotosocial = "0.16.0")]
    pub context: Vec<String>,
    #[since(mastodon = "4.0.0", gotosocial = "0.16.0")]
    pub keywords_attributes: Vec<FilterKeywordsAttributes>,
}

#[derive(Debug, Clone, PartialEq, rt::Since)]
#[non_exhaustive]
pub struct FilterKeywordsAttributes {
    #[since(mastodon = "4.0.0", gotosocial = "0.16.0")]
    pub keyword: String,
    #[since(mastodon = "4.0.0", gotosocial = "0.16.0")]
    pub whole_word: Option<bool>,
}

impl Filter {
    pub fn new(
        title: impl Into<String>,
        context: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self {
            title: title.into(),
            context: context.into_iter().map(Into::into).collect(),
            keywords_attributes: Vec::new(),
        }
    }
    #[must_use]
    pub fn keyword(mut self, keyword: impl Into<String>, whole_word: Option<bool>) -> Self {
        self.keywords_attributes
            .push(FilterKeywordsAttributes { keyword: keyword.into(), whole_word });
        self
    }
}

impl rt::Request for Filter {
    type Answer = rt::Json;
    const OPERATION: &'static rt::Operation =
        &rt::Operation::new("accounts.filter", rt::Method::Post, "/api/v2/filters")
            .body(rt::BodyEncoding::Form)
            .params(&[
                rt::Param::form("title"),
                rt::Param::form("context[]"),
                rt::Param::form("keywords_attributes[]"),
                rt::Param::form("keywords_attributes[][keyword]"),
                rt::Param::form("keywords_attributes[][whole_word]"),
            ]);
}

impl rt::client::Encode for Filter {
    fn encode<'a>(&'a self, to: &mut rt::codegen::Encoder<'a>) {
        to.required(0, &self.title);
        to.list(1, &self.context);
        to.objects(2, &self.keywords_attributes);
    }
}

impl rt::client::Encode for FilterKeywordsAttributes {
    fn encode<'a>(&'a self, to: &mut rt::codegen::Encoder<'a>) {
        to.required(3, &self.keyword);
        to.optional(4, &self.whole_word);
    }
}

rt::decode!(Filter { title = required(0), context = required_list(1), keywords_attributes = objects(2) });

rt::decode!(FilterKeywordsAttributes { keyword = required(3), whole_word = optional(4) });
