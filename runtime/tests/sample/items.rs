use fedispec_runtime as rt;

pub static PROGRAMS: &[rt::Program] = &[
    rt::Program::new("mastodon", "Mastodon")
        .letter("A")
        .nodeinfo(&["mastodon"])
        .releases(&[rt::Release::new(4, 3, 0).date("2024-10-08").api(2)]),
    rt::Program::new("gotosocial", "GoToSocial")
        .letter("B")
        .nodeinfo(&["gotosocial"]),
];

pub static ROWS: &[rt::Item] = &[
    rt::Item::new(
        rt::Kind::Field,
        "Account.visibility",
        "visibility",
        &[rt::Life::since(4, 3, 0), rt::Life::NEVER],
    ),
    rt::Item::new(
        rt::Kind::Operation,
        "accounts.lookup",
        "",
        &[rt::Life::since(3, 4, 0), rt::Life::since(0, 11, 0)],
    ),
    rt::Item::new(
        rt::Kind::Param,
        "accounts.lookup.acct",
        "acct",
        &[rt::Life::since(3, 4, 0), rt::Life::since(0, 11, 0)],
    ),
];

pub fn items() -> rt::ItemTable {
    rt::ItemTable::new(PROGRAMS, ROWS)
}
