use fedispec_runtime as rt;

pub static PROGRAMS: &[rt::Program] = &[
    rt::Program::new("mastodon", "Mastodon")
        .letter("A")
        .nodeinfo(&["mastodon"])
        .releases(&[rt::Release::new(4, 3, 0).date("2024-10-08").api(2)]),
    rt::Program::new("gotosocial", "GoToSocial").letter("B").nodeinfo(&["gotosocial"]),
];

static ITEMS: rt::ItemTable = rt::ItemTable::new(
    PROGRAMS,
    r"
field Account.visibility: 4.3.0, never
operation accounts.lookup: 3.4.0, 0.11.0
param accounts.lookup.acct: 3.4.0, 0.11.0
",
);

pub fn items() -> &'static rt::ItemTable {
    &ITEMS
}
