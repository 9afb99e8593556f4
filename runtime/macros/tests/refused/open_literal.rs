use fedispec_runtime::NonExhaustive;

mod other {
    pub struct Account {
        pub id: u8,
        pub non_exhaustive: super::NonExhaustive,
    }
}

fn main() {
    let _ = other::Account { id: 1 };
}
