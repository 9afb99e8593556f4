//! Accounts: one's own and others', and what ties them.

use fedispec::accounts;
use fedispec::server::OrInternal as _;

use super::prelude::*;
use super::suggestions::suggested;
use crate::passwords::strong;
use crate::store::accounts::User;
use crate::store::collections::Collection;
use crate::store::ties::{Mute, Tie};
use crate::text::{counted, graphemes};

/// The greatest number of characters of the name and of the value of a profile's field.
const FIELD: usize = 255;

/// Sets what both requests that change a profile have.
macro_rules! set_profile {
    ($state:ident, $me:ident, $request:ident) => {
        let avatar = keep_picture(&mut $state, $request.avatar.as_ref())?;
        let header = keep_picture(&mut $state, $request.header.as_ref())?;
        check_profile(&$state, $request.display_name.as_deref(), $request.note.as_deref())?;
        let fields = $request.fields_attributes.into_iter();
        let fields =
            fields.map(|field| (field.name.unwrap_or_default(), field.value.unwrap_or_default()));
        let fields = profile_fields(&$state, fields)?;
        let profile = &mut $state.account_mut($me)?.profile;
        set(&mut profile.display_name, $request.display_name);
        set(&mut profile.note, $request.note);
        set_list(&mut profile.fields, fields);
        set(&mut profile.locked, $request.locked);
        set(&mut profile.bot, $request.bot);
        profile.discoverable = $request.discoverable.or(profile.discoverable);
        set(&mut profile.indexable, $request.indexable);
        profile.hide_collections = $request.hide_collections.or(profile.hide_collections);
        profile.avatar = avatar.or(profile.avatar);
        set(&mut profile.avatar_description, $request.avatar_description);
        profile.header = header.or(profile.header);
        set(&mut profile.header_description, $request.header_description);
        set_list(&mut profile.attribution_domains, $request.attribution_domains);
    };
}
pub(super) use set_profile;

pub(super) fn own(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, request: accounts::Create, call| {
            let mut state = app.state();
            let app = state.app(&call).ok_or_else(Error::unauthorized)?.clone();
            check_registration(&state, &request, &call)?;
            let user = User {
                email: request.email,
                password: request.password.expose().to_owned(),
                approved: !state.bounds().approval,
                confirmed: does(&call, Habit::ConfirmsAtOnce),
                locale: request.locale.unwrap_or_default(),
                reason: request.reason,
                made_by: Some(app.id),
                ..User::default()
            };
            let account = state.add_account(&request.username, None, Some(user));
            state.tell_moderators_of_sign_up(account);
            let text = state.add_token(app.id, Some(account), app.scopes)?;
            state.view(account).token(&text).ok_or_else(Error::internal)
        })
        .on(by_user(|state, me, _: accounts::VerifyCredentials, _| {
            Ok(state.view(me).credentials(state.known_account(me)?))
        }))
        .on(by_user(|mut state, me, request: accounts::UpdateCredentials, _| {
            set_profile!(state, me, request);
            let account = state.account_mut(me)?;
            let profile = &mut account.profile;
            set(&mut profile.theme, request.theme);
            set(&mut profile.custom_css, request.custom_css);
            set(&mut profile.enable_rss, request.enable_rss);
            profile.web_visibility = request.web_visibility.or(profile.web_visibility.take());
            profile.web_layout = request.web_layout.or(profile.web_layout.take());
            if let Some(user) = &mut account.user {
                let defaults = &mut user.defaults;
                set(&mut defaults.visibility, request.source_privacy);
                set(&mut defaults.sensitive, request.source_sensitive);
                defaults.language = request.source_language.or(defaults.language.take());
                set(&mut defaults.quote_policy, request.source_quote_policy);
                let content_type =
                    request.source_status_content_type.or(request.source_status_format);
                defaults.content_type = content_type.or(defaults.content_type.take());
            }
            Ok(state.view(me).credentials(state.known_account(me)?))
        }))
        .on(by_viewer(|state, viewer, request: accounts::Get, _| {
            Ok(state.view(viewer).account_alone(state.account(&request.id)?))
        }))
        .on(by_viewer(|state, viewer, request: accounts::GetMany, _| {
            at_most(&request.id, 40)?;
            let known = request.id.iter().filter_map(|id| state.account(id).ok());
            Ok(known.map(|account| state.view(viewer).account_of(account)).collect())
        }))
        .on(by_user(|mut state, me, request: accounts::Alias, _| {
            state.account_mut(me)?.also_known_as = request.also_known_as_uris;
            Ok(state.view(me).credentials(state.known_account(me)?))
        }))
        .on(by_user(|mut state, me, request: accounts::Delete, call| {
            let is_right = is_password(&state, me, request.password.expose())?;
            let why = "invalid password provided in account delete request";
            refuse_if!(!is_right, refused(StatusCode::FORBIDDEN, why));
            state.account_mut(me)?.moderation.suspended = true;
            state.revoke_all(me);
            accepted(&call)
        }))
        .on(by_user(|mut state, me, request: accounts::Migrate, call| {
            let is_right = is_password(&state, me, request.password.expose())?;
            refuse_if!(!is_right, bad_request("invalid password provided in Move request"));
            let uri = request.moved_to_uri;
            let view = state.view(me);
            let mut accounts = state.accounts.values();
            let to = accounts.find(|account| view.account_uri(account) == uri);
            let refused = |why: &str| refused(StatusCode::UNPROCESSABLE_ENTITY, why);
            let to = to.ok_or_else(|| refused("error dereferencing moved_to_uri"))?;
            let own = view.account_uri(state.known_account(me)?);
            let why = format!(
                "target account {uri} is not aliased to this account via alsoKnownAs; if you just changed it, please wait a few minutes and try the Move again"
            );
            refuse_if!(!to.also_known_as.contains(&own), refused(&why));
            let to = to.id;
            state.account_mut(me)?.moved_to = Some(to);
            accepted(&call)
        }))
        .on(by_user(|state, me, _: accounts::Suggestions, _| {
            Ok(state.view(me).accounts(suggested(&state, me)).into())
        }))
        .on(async |_: App, _: accounts::Themes, _| Ok(List::new([])))
}

pub(super) fn others(server: Server<App>) -> Server<App> {
    server
        .on(by_viewer(|state, viewer, request: accounts::Statuses, call| {
            let author = match state.account(&request.id) {
                Ok(account) => account.id,
                // GoToSocial does not ask whether there is such an account.
                Err(_) if state.does(Habit::ListsOfNobody) => return Ok(Page::default()),
                Err(error) => return Err(error),
            };
            let is_set = |given: Option<bool>| given == Some(true);
            let tag = request.tagged.map(|tag| tag.to_lowercase());
            let is_wanted = |status: &Status| {
                let draft = &status.draft;
                let is_left_out = [
                    (request.exclude_reblogs, status.reblog_of.is_some()),
                    (request.exclude_replies, state.answers_others(status)),
                    (request.only_media, draft.media.is_empty()),
                    (request.pinned, status.pinned.is_none()),
                    (request.only_public, draft.visibility != Visibility::Public),
                ];
                status.account == author
                    && !is_left_out.into_iter().any(|(given, applies)| is_set(given) && applies)
                    && tag.as_ref().is_none_or(|tag| status.tags.contains(tag))
            };
            let mut labels = vec![Label::By(author)];
            labels.extend(is_set(request.only_media).then_some(Label::Media));
            labels.extend(is_set(request.pinned).then_some(Label::Pinned));
            labels.extend(tag.clone().map(Label::Tag));
            Ok(state.view(viewer).newest(&call, &labels, is_wanted))
        }))
        .on(by_viewer(|state, viewer, request: accounts::Followers, call| {
            let of = state.view(viewer).shown_ties(&request.id)?;
            let followers = of.into_iter().flat_map(|of| state.followers(of));
            Ok(state.view(viewer).account_page(&call, followers))
        }))
        .on(by_viewer(|state, viewer, request: accounts::Following, call| {
            let of = state.view(viewer).shown_ties(&request.id)?;
            let following = of.into_iter().flat_map(|of| state.following(of));
            Ok(state.view(viewer).account_page(&call, following))
        }))
        .on(by_viewer(|state, viewer, request: accounts::FeaturedTags, _| {
            let of = match state.account(&request.id) {
                Ok(account) => account.id,
                Err(_) if state.does(Habit::ListsOfNobody) => return Ok(List::new([])),
                Err(error) => return Err(error),
            };
            Ok(state.view(viewer).featured_tags(of).into())
        }))
        .on(by_user(|state, me, request: accounts::Lists, _| {
            let them = state.account(&request.id)?.id;
            let lists = state.lists_of(me);
            let with_them = lists.filter(|list| list.members.contains_key(&them));
            Ok(with_them.map(|list| state.view(me).list(list)).collect())
        }))
        .on(by_user(|state, me, request: accounts::Search, call| {
            let query = call.paging();
            let name = request.q.unwrap_or_default();
            let name = name.trim().trim_start_matches('@').to_lowercase();
            let found = state.accounts.values().filter(|account| {
                // Nothing is asked for.
                if name.is_empty() {
                    return false;
                }
                let names = [account.acct(), account.profile.display_name.clone()];
                let is_named = names.iter().any(|own| own.to_lowercase().contains(&name));
                let is_wanted = request.following != Some(true) || state.follows(me, account.id);
                is_named && is_wanted && !account.moderation.suspended
            });
            let found = found.skip(query.offset).take(query.limit);
            Ok(found.map(|account| state.view(me).account_of(account)).collect())
        }))
        .on(by_viewer(|state, viewer, request: accounts::Lookup, _| {
            let account = state.lookup(&request.acct);
            let account =
                account.ok_or_else(|| state.missing(&format!("@{} not found", request.acct)))?;
            Ok(state.view(viewer).account_of(account))
        }))
        .on(async |app: App, request: accounts::IdentityProofs, _| {
            // Identity proofs ended with Keybase.
            app.state().account(&request.id)?;
            Ok(List::new([]))
        })
        .on(by_user(|state, me, request: accounts::CommonFollowers, _| {
            let them = state.account(&request.id)?.id;
            Ok(state.view(me).accounts(familiar(&state, me, them)).into())
        }))
        .on(by_viewer(|state, viewer, request: accounts::Collections, call| {
            let owner = state.account(&request.account_id)?.id;
            // The newest first.
            let made = state.collections.values().rev();
            let made = made.filter(|one| one.owner == owner && one.can_be_seen(viewer));
            Ok(state.view(viewer).collections(&call, made))
        }))
        .on(by_user(|state, me, request: accounts::InCollections, call| {
            let account = state.account(&request.account_id)?.id;
            let with = state.collections.values();
            let with = with.filter(|one| one.has(account) && one.can_be_seen(Some(me)));
            Ok(state.view(me).collections(&call, with))
        }))
}

pub(super) fn ties(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|mut state, me, request: accounts::Follow, call| {
            let account = state.account(&request.id)?;
            let (them, moved) = (account.id, account.moved_to.is_some());
            not_oneself(&call, me, them, &request.id)?;
            if moved || state.blocks(them, me) || state.blocks(me, them) {
                // GoToSocial hides whoever has blocked the caller.
                return Err(if does(&call, Habit::HidesBlockers) {
                    state.missing("target account not found")
                } else {
                    Error::forbidden()
                });
            }
            state.follow(me, them);
            let tie = state.tie_mut(me, them);
            if let Some(follow) = tie.follow.as_mut().or(tie.requested.as_mut()) {
                follow.reblogs = request.reblogs.unwrap_or(follow.reblogs);
                follow.notify = request.notify.unwrap_or(follow.notify);
                if !request.languages.is_empty() {
                    follow.languages = request.languages;
                }
            }
            Ok(state.view(me).relationship(them))
        }))
        .on(by_user(|mut state, me, request: accounts::Unfollow, call| {
            let them = state.account(&request.id)?.id;
            not_oneself(&call, me, them, &request.id)?;
            state.leave_lists(me, them);
            let tie = state.tie_mut(me, them);
            (tie.follow, tie.requested, tie.endorsed) = (None, None, None);
            Ok(state.view(me).relationship(them))
        }))
        .on(by_user(|mut state, me, request: accounts::RemoveFromFollowers, _| {
            let them = state.account(&request.id)?.id;
            state.tie_mut(them, me).follow = None;
            state.leave_lists(them, me);
            Ok(state.view(me).relationship(them))
        }))
        .on(by_user(|mut state, me, request: accounts::Block, call| {
            let them = state.account(&request.id)?.id;
            not_oneself(&call, me, them, &request.id)?;
            state.block(me, them);
            Ok(state.view(me).relationship(them))
        }))
        .on(act!(change_tie, accounts::Unblock, call, |tie, _| tie.block = None))
        .on(by_user(|state, me, request: accounts::Mute, call| {
            let seconds = request.duration.filter(|seconds| *seconds > 0);
            let until = seconds.map(|seconds| in_seconds(&state, seconds));
            let notifications =
                request.notifications.unwrap_or(!does(&call, Habit::MutesPostsAlone));
            let mute = |tie: &mut Tie, id| tie.mute = Some(Mute { id, notifications, until });
            change_tie(state, me, &request.id, &call, mute)
        }))
        .on(act!(change_tie, accounts::Unmute, call, |tie, _| tie.mute = None))
        .on(act!(feature, accounts::Pin, call, true))
        .on(act!(feature, accounts::UnpinAccount, call, false))
        .on(act!(feature, accounts::Endorse, call, true))
        .on(act!(feature, accounts::Unendorse, call, false))
        .on(by_viewer(|state, viewer, request: accounts::Endorsements, call| {
            let of = state.account(&request.id)?.id;
            Ok(state.view(viewer).account_page(&call, state.tied_from(of, |tie| tie.endorsed)))
        }))
        .on(by_user(|mut state, me, request: accounts::SetNote, _| {
            // A user may write one on their own account too.
            let them = state.account(&request.id)?.id;
            state.tie_mut(me, them).note = request.comment.unwrap_or_default();
            Ok(state.view(me).relationship(them))
        }))
        .on(by_user(|state, me, request: accounts::Relationships, _| {
            let known = request.id.iter().filter_map(|id| state.account(id).ok());
            Ok(known.map(|account| state.view(me).relationship(account.id)).collect())
        }))
        .on(by_user(|state, me, request: accounts::FamiliarFollowers, _| {
            let known = request.id.iter().filter_map(|id| state.account(id).ok());
            let familiar = known.map(|account| {
                current::FamiliarFollowers {
                    id: state.id(account.id),
                    accounts: state.view(me).accounts(familiar(&state, me, account.id)),
                }
                .into()
            });
            Ok(familiar.collect())
        }))
        // As of a server that offers no subscriptions by mail.
        .on(async |app: App, request: accounts::SubscribeByEmail, _| {
            app.state().account(&request.account_id)?;
            Err(Error::not_found())
        })
}

/// Changes what ties the caller to an account; the change is given a key of its own.
fn change_tie(
    mut state: Locked<'_>,
    me: Key,
    id: &Id<entities::Account>,
    call: &Call,
    change: impl FnOnce(&mut Tie, Key),
) -> Result<entities::Relationship> {
    let them = state.account(id)?.id;
    not_oneself(call, me, them, id)?;
    let key = state.next_key();
    change(state.tie_mut(me, them), key);
    Ok(state.view(me).relationship(them))
}

/// Features an account that the caller follows, or ends that.
fn feature(
    state: Locked<'_>,
    me: Key,
    id: &Id<entities::Account>,
    call: &Call,
    is_featured: bool,
) -> Result<entities::Relationship> {
    let them = state.account(id)?.id;
    let told = "You must be already following the person you want to endorse";
    refuse_if!(is_featured && !state.follows(me, them), not_valid(told));
    change_tie(state, me, id, call, |tie, key| tie.endorsed = is_featured.then_some(key))
}

/// The answer to what is done later.
fn accepted(call: &Call) -> Result<Map<String>> {
    call.set_status(StatusCode::ACCEPTED)?;
    Ok(member("message", "accepted"))
}

/// Refuses what nobody can do to their own account.
fn not_oneself(call: &Call, me: Key, them: Key, id: &Id<entities::Account>) -> Result<()> {
    if them != me {
        return Ok(());
    }
    let why = match call.operation.id {
        "accounts.block" | "accounts.unblock" => {
            format!(": getBlockTarget: account {id} cannot block or unblock itself")
        }
        "accounts.mute" | "accounts.unmute" => {
            format!(": getMuteTarget: account {id} cannot mute or unmute itself")
        }
        _ => String::new(),
    };
    let told = Error::new(StatusCode::NOT_ACCEPTABLE, format!("Not Acceptable{why}"));
    Err(if does(call, Habit::TellsWhy) { told } else { Error::forbidden() })
}

impl View<'_> {
    /// A page of collections.
    fn collections<'s>(
        &self,
        call: &Call,
        all: impl Iterator<Item = &'s Collection>,
    ) -> entities::Collections {
        let page = offset(call, all, |one| one);
        call.set_links(&page);
        let collections = page.iter().map(|one| self.collection(one)).collect();
        current::Collections { collections }.into()
    }

    /// The account whose followers are asked for, unless it hides them from the viewer.
    fn shown_ties(&self, id: &Id<entities::Account>) -> Result<Option<Key>> {
        let account = self.state.account(id)?;
        let hides = account.profile.hide_collections == Some(true);
        Ok((!hides || self.me == Some(account.id)).then_some(account.id))
    }
}

/// Returns the accounts that one account follows and that follow another.
fn familiar(state: &Locked<'_>, me: Key, them: Key) -> Vec<Key> {
    let followers = state.followers(them).map(|(_, follower)| follower);
    followers.filter(|follower| state.follows(me, *follower)).collect()
}

/// Refuses a name or a note that is too long.
pub(super) fn check_profile(state: &State, name: Option<&str>, note: Option<&str>) -> Result<()> {
    let bounds = state.bounds();
    let name = count(name.map_or(0, |name| name.chars().count()));
    let note = note.map_or(0, |note| graphemes(&counted(note, bounds.characters_per_link)));
    let mut wrong = Vec::new();
    if name > bounds.name {
        let most = bounds.name;
        wrong.push(format!("Display name is too long (maximum is {most} characters)"));
    }
    if count(note) > bounds.note {
        wrong.push(format!("Note character limit of {} exceeded", bounds.note));
    }
    refuse_if!(!wrong.is_empty(), not_valid(&wrong.join(", ")));
    Ok(())
}

/// The fields of a profile that are kept: cut to their length, and none without a name.
pub(super) fn profile_fields(
    state: &State,
    fields: impl Iterator<Item = (String, String)>,
) -> Result<Vec<(String, String)>> {
    let cut = |text: String| text.trim().chars().take(FIELD).collect::<String>();
    let fields = fields.map(|(name, value)| (cut(name), cut(value)));
    let (named, rest): (Vec<_>, Vec<_>) = fields.partition(|(name, _)| !name.is_empty());
    let is_refused = state.bounds().refuses_nameless_fields;
    let is_nameless = is_refused && rest.iter().any(|(_, value)| !value.is_empty());
    refuse_if!(is_nameless, not_valid("Fields contains values with missing labels"));
    Ok(named)
}

/// Keeps a picture of a profile.
pub(super) fn keep_picture(state: &mut Locked<'_>, file: Option<&File>) -> Result<Option<Key>> {
    let Some(file) = file.filter(|file| !file.is_empty()) else {
        return Ok(None);
    };
    let content_type = file.content_type().unwrap_or("image/png").to_owned();
    refuse_if!(!content_type.starts_with("image/"), not_valid("Avatar content type is invalid"));
    let bytes = file.content().or_internal()?.into_owned();
    Ok(Some(state.keep(&content_type, bytes)))
}

/// Whether it is the caller's password.
pub(super) fn is_password(state: &Locked<'_>, me: Key, password: &str) -> Result<bool> {
    let user = state.known_account(me)?.user.as_ref();
    Ok(user.is_some_and(|user| user.password == password))
}

/// Refuses a registration as GoToSocial does, with the first reason.
fn check_registration_at_first(state: &Locked<'_>, request: &accounts::Create) -> Result<()> {
    let (name, email) = (&request.username, &request.email);
    let is_name = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_';
    refuse_if!(name.is_empty(), bad_request("no username provided"));
    let told = format!(
        "given username {name} was invalid: must contain only lowercase letters, numbers, and underscores, max 64 characters"
    );
    refuse_if!(!name.chars().all(is_name), bad_request(&told));
    refuse_if!(!email.contains('@'), bad_request("no email provided"));
    strong(request.password.expose()).map_err(|why| bad_request(&why))?;
    let told = "agreement to terms and conditions not given";
    refuse_if!(!request.agreement, bad_request(told));
    let told = format!("email address {email} is not available");
    refuse_if!(state.user(email).is_some(), conflict(&told));
    let told = format!("username {name} is not available");
    refuse_if!(state.lookup(name).is_some(), conflict(&told));
    Ok(())
}

/// Refuses a registration as Mastodon does, with every reason.
fn check_registration(state: &Locked<'_>, request: &accounts::Create, call: &Call) -> Result<()> {
    if does(call, Habit::RefusesAtFirstReason) {
        return check_registration_at_first(state, request);
    }
    let mut wrong = Vec::new();
    let name = &request.username;
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    if name.is_empty() {
        wrong.push(("username", "Username", "ERR_BLANK", "can't be blank"));
    } else if !name.chars().all(is_name) {
        let why = "must contain only letters, numbers and underscores";
        wrong.push(("username", "Username", "ERR_INVALID", why));
    } else if state.lookup(name).is_some() {
        wrong.push(("username", "Username", "ERR_TAKEN", "has already been taken"));
    }
    if request.email.is_empty() {
        let times = if does(call, Habit::MissesMailTwice) { 2 } else { 1 };
        wrong.extend([("email", "E-mail address", "ERR_BLANK", "can't be blank")].repeat(times));
    }
    if !request.email.contains('@') {
        wrong.push(("email", "E-mail address", "ERR_INVALID", "is invalid"));
    } else if state.user(&request.email).is_some() {
        wrong.push(("email", "E-mail address", "ERR_TAKEN", "has already been taken"));
    }
    if request.password.expose().is_empty() {
        wrong.push(("password", "Password", "ERR_BLANK", "can't be blank"));
    } else if request.password.expose().chars().count() < 8 {
        let why = "is too short (minimum is 8 characters)";
        wrong.push(("password", "Password", "ERR_TOO_SHORT", why));
    }
    if !request.agreement {
        wrong.push(("agreement", "Service agreement", "ERR_ACCEPTED", "must be accepted"));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let reasons: Vec<_> = wrong.iter().map(|(_, name, _, why)| format!("{name} {why}")).collect();
    let mut details: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (key, _, code, why) in &wrong {
        details.entry(key).or_default().push(json!({"error": code, "description": why}));
    }
    let message = format!("Validation failed: {}", reasons.join(", "));
    Err(Error::unprocessable(message).with_details(json!(details)))
}
