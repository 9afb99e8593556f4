use fedispec_runtime as rt;

pub static PROGRAMS: &[rt::Program] =
    &[
        rt::Program::new("mastodon", "Mastodon")
            .nodeinfo(&["mastodon"])
            .releases(&[rt::Release::new(4, 3, 0).date("2024-10-08").api(2)]),
        rt::Program::new("gotosocial", "GoToSocial").nodeinfo(&["gotosocial"]),
    ];

static ITEMS: rt::ItemTable = rt::ItemTable::new(
    PROGRAMS,
    r#"{"form": 3, "items": {
    "Account.visibility": "field",
    "accounts.lookup": "operation",
    "accounts.lookup.acct": "param"
}}"#,
    &[
        r#"{"otherwise": "never", "items": {
    "Account.visibility": "4.3.0",
    "accounts.lookup": "3.4.0",
    "accounts.lookup.acct": "3.4.0"
}}"#,
        r#"{"otherwise": "never", "items": {
    "accounts.lookup": "0.11.0",
    "accounts.lookup.acct": "0.11.0"
}}"#,
    ],
);

pub fn items() -> &'static rt::ItemTable {
    &ITEMS
}
