//! Behaviour of programs of a family about which the catalogue has no fact.

use fedispec::runtime::{Family, Version, profiles};
use fedispec::server::Call;

/// A behaviour in which programs differ, or releases. Where nothing else is said, programs on Go with gin have it, and those on Rails, with which the
/// API began, do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Habit {
    /// Empty values are answered where others answer null.
    AnswersDefaults,
    /// A removal answers the removed record.
    AnswersRemoved,
    /// More and longer texts, attachments and options are taken unless configured, in Markdown too, and somebody approves new accounts.
    AllowsMore,
    /// Texts are measured in characters as they are, and not in what people take for one with addresses cut short.
    CountsCharacters,
    /// The language of the interface is that of statuses where no other is set. Since Mastodon 4.0.0.
    AnswersInterfaceLanguage,
    /// A domain block has no severity.
    BlocksInOneWay,
    /// The address of a new user needs no confirmation.
    ConfirmsAtOnce,
    /// The pictures of those who have none are described.
    DescribesDefaultPictures,
    /// The tokens of applications end.
    EndsAppTokens,
    /// The peers can be filtered.
    FiltersPeers,
    /// Accounts that have blocked the caller are hidden.
    HidesBlockers,
    /// Films and animations are kept as they came.
    KeepsFilms,
    /// A boost remembers its application.
    KeepsAppOfBoosts,
    /// A user always has a language.
    KnowsLanguages,
    /// A filter is of parts of words, unless told otherwise.
    MatchesParts,
    /// A status has no card of the page that it links to.
    MakesNoCards,
    /// Any id is taken for that of a status which a filter is to match.
    MarksAnyStatus,
    /// Each page that is not empty links to a next one.
    LinksOn,
    /// Links are written whole.
    KeepsLinksWhole,
    /// A registration without a mail address is told so twice. Since Mastodon 4.3.0.
    MissesMailTwice,
    /// A status that is scheduled too early is told by its date. Since Mastodon 4.4.0.
    NamesTheDate,
    /// Answers have no `ETag`.
    HasNoEtags,
    /// Timelines show what a client's filters hide.
    LeavesFilteringToClients,
    /// The statuses and featured tags of an account that there is not are an empty list.
    ListsOfNobody,
    /// Boosts are listed whoever may see them.
    ListsAllBoosts,
    /// A vote in a poll is the last one of its account.
    VotesOnce,
    /// A muted account still notifies, unless told otherwise.
    MutesPostsAlone,
    /// Attachments are ready when they are answered.
    ProcessesAtOnce,
    /// Redirect addresses may be left out, and may have fragments.
    RegistersAnyRedirect,
    /// A registration is refused for the first reason, in its own words.
    RefusesAtFirstReason,
    /// Two lists of a user have two titles, replies are of those who are followed, and there is no greatest number of lists.
    ListsByTitle,
    /// Accounts are listed for moderators wherever they are from and whatever their status.
    ListsAllAccounts,
    /// Reports have no category.
    ReportsWithoutCategory,
    /// There is no page for remote follows.
    HasNoSubscribePage,
    /// Statuses are not scheduled.
    SchedulesNothing,
    /// Users see more of their own accounts.
    ShowsUsersTheirOwn,
    /// A media attachment that is posted can be changed.
    ChangesPostedMedia,
    /// Moderators suspend and do nothing else, and are answered a message.
    SuspendsAlone,
    /// A poll may have one option, or one twice, and stand beside attachments.
    TakesAnyPoll,
    /// Whether collections are hidden is told where they are.
    TellsHiddenCollections,
    /// The limit of descriptions stands in the newer instance document alone.
    TellsLimitsInV2,
    /// The source text stands in each local status, and not only in what is deleted.
    TellsTexts,
    /// Refusals say what is missing or not allowed, and of which value.
    TellsWhy,
}

impl Habit {
    /// Whether a release of a program has it. The habits of others than Mastodon and GoToSocial have not been looked up.
    pub(crate) fn is_of(self, program: &str, version: Version) -> bool {
        let (family, since) = match self {
            Self::AnswersInterfaceLanguage => (Family::Rails, Version::new(4, 0, 0)),
            Self::MissesMailTwice => (Family::Rails, Version::new(4, 3, 0)),
            Self::NamesTheDate => (Family::Rails, Version::new(4, 4, 0)),
            _ => (Family::Gin, Version::new(0, 0, 0)),
        };
        let own = profiles().find(program).and_then(|profile| profile.ways.server.family);
        own == Some(family) && version >= since
    }
}

/// Whether the release that is presented has a habit.
pub(crate) fn does(call: &Call, habit: Habit) -> bool {
    let target = call.target.as_deref();
    target.is_some_and(|target| habit.is_of(&target.program, target.version))
}
