//! Behaviour of programs of a family about which the catalogue has no fact.

use fedispec::runtime::profiles;
use fedispec::server::Call;

/// A behaviour in which programs differ. Programs on Rails, with which the API began, have none of these.
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
    /// A domain block has no severity.
    BlocksInOneWay,
    /// The pictures of those who have none are described.
    DescribesDefaultPictures,
    /// The tokens of applications end.
    EndsAppTokens,
    /// The peers can be filtered.
    FiltersPeers,
    /// Accounts that have blocked the caller are hidden.
    HidesBlockers,
    /// A boost remembers its application.
    KeepsAppOfBoosts,
    /// A user always has a language.
    KnowsLanguages,
    /// A filter is of parts of words, unless told otherwise.
    MatchesParts,
    /// Each page that is not empty links to a next one.
    LinksOn,
    /// Links are written whole.
    KeepsLinksWhole,
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

/// A family of programs: those on Go with gin have all habits, and no others have any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Family {
    is_gin: bool,
}

impl Family {
    /// The family of a program, as its profile says. The habits of others than Mastodon and GoToSocial have not been looked up.
    pub(crate) fn of(program: &str) -> Self {
        let profile = profiles().find(program);
        let family = profile.and_then(|profile| profile.ways.server.family);
        Self { is_gin: family == Some(fedispec::runtime::Family::Gin) }
    }

    /// Whether its programs have a habit.
    pub(crate) fn has(self, _: Habit) -> bool {
        self.is_gin
    }
}

/// Whether the program that is presented has a habit.
pub(crate) fn does(call: &Call, habit: Habit) -> bool {
    call.target.as_ref().is_some_and(|target| Family::of(&target.program).has(habit))
}
