impl Visibility {
    /// Its place from the fewest that can see a status to the most; `None` for a value that is not listed.
    fn reach(&self) -> Option<u8> {
        match self {
            Self::Direct => Some(0),
            Self::MutualsOnly => Some(1),
            Self::Private => Some(2),
            Self::Unlisted => Some(3),
            Self::Public => Some(4),
            _ => None,
        }
    }
}

/// Ordered by how many can see a status, from `direct` to `public`: an answer should be at most as visible as what it answers. A value
/// that is not listed is neither less nor greater than another.
impl PartialOrd for Visibility {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        if self == other {
            return Some(std::cmp::Ordering::Equal);
        }
        Some(self.reach()?.cmp(&other.reach()?))
    }
}
