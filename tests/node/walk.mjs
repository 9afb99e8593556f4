// Walks through a stand-in server with masto: `walk.mjs URL PROGRAM LOGIN PASSWORD OTHER_TOKEN LACKS`, where LACKS are the operations and parameters that the
// presented release does not have, by their ids. Every call has to succeed, and those of LACKS have to fail as unknown ones do.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.env.FEDISPEC_NODE, "package.json"));
const { createRestAPIClient, createOAuthAPIClient, createStreamingAPIClient } = require("masto");

const [url, program, login, password, otherToken, lacked] = process.argv.slice(2);
const lacks = new Set(JSON.parse(lacked));
const isGotosocial = program === "gotosocial";
const REDIRECTS = ["http://127.0.0.1:9/callback", "urn:ietf:wg:oauth:2.0:oob"];
const SCOPES = isGotosocial ? "read write follow push admin" : "read write follow push admin:read admin:write";
const tally = { made: 0, lacking: 0, status: 0 };

// Every answer is a line of this file, as `cargo xtask verify` reads them.
const recording = process.env.FEDISPEC_RECORDING;
const send = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const response = await send(input, init);
  tally.status = response.status;
  const text = await response.clone().text();
  const [software, version] = process.env.FEDISPEC_RELEASE.split("@");
  let body = text;
  try {
    body = JSON.parse(text);
  } catch {
    // It is no JSON, and recorded as text.
  }
  const method = init?.method ?? input.method ?? "GET";
  const path = new URL(input.url ?? input).pathname;
  if (path === "/oauth/authorize") {
    return response; // a page for people
  }
  appendFileSync(recording, `${JSON.stringify({ method, path, status: response.status, body, software, version })}\n`);
  return response;
};

/** Makes a call. Where the release lacks the operation it has to be refused, and the answer is null. */
async function call(id, made) {
  if (!lacks.has(id)) {
    try {
      tally.made += 1;
      return await made();
    } catch (error) {
      throw new Error(`${id}: ${error.message ?? error}`, { cause: error });
    }
  }
  tally.lacking += 1;
  // An unknown route may be answered with a page, which masto tells no status of.
  await assert.rejects(async () => await made(), `${id} should not be there`);
  assert.ok([404, 405].includes(tally.status), `${id} is answered with ${tally.status}`);
  return null;
}

/** All items of a list, page by page to its end. */
async function all(id, list) {
  return call(id, async () => {
    const items = [];
    for await (const page of list) {
      assert.ok(page.length <= 2, `${id}: a page has ${page.length}`);
      items.push(...page);
      assert.ok(items.length < 100, `${id} has no end`);
    }
    return items;
  });
}

async function signIn() {
  const open = createRestAPIClient({ url });
  // GoToSocial takes one address, and lists only since 0.20; Mastodon takes a list since 4.3.
  const app = await call("apps.create", () => open.v1.apps.create({
    clientName: "masto",
    redirectUris: REDIRECTS.join("\n"),
    scopes: SCOPES,
    website: "https://example.org",
  }));
  assert.ok(app.clientId && app.clientSecret);

  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const asked = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: REDIRECTS[0],
    response_type: "code",
    scope: SCOPES,
    state: "12ab",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const page = await fetch(`${url}/oauth/authorize?${asked}`);
  // What the form holds is sent, as a browser does: a release without PKCE has no challenge in it.
  const inputs = [...(await page.text()).matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  assert.ok(inputs.length >= 4, "the page has no form");
  const unescape = (text) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  const hidden = inputs.map(([, name, value]) => [name, unescape(value)]);
  const sent = await fetch(`${url}/oauth/authorize`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams([...hidden, ["username", login], ["password", password], ["decision", "allow"]]),
  });
  assert.equal(sent.status, 302, await sent.text());
  const back = new URL(sent.headers.get("location"));
  assert.equal(back.searchParams.get("state"), "12ab");
  const oauth = createOAuthAPIClient({ url });
  const asksToken = (codeVerifier) => oauth.token.create({
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    grantType: "authorization_code",
    code: back.searchParams.get("code"),
    redirectUri: REDIRECTS[0],
    scope: SCOPES,
    codeVerifier,
  });
  const token = await call("oauth.token", () => asksToken(verifier));
  await assert.rejects(() => asksToken(verifier), /grant|invalid|expired|revoked|no rows/i, "a code is good once");
  return token.accessToken;
}

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAADklEQVR4nGP4z8DwHwQBEPgD/U6VwW8AAAAASUVORK5CYII=",
  "base64",
);

async function account(api) {
  const me = await call("accounts.verify_credentials", () => api.v1.accounts.verifyCredentials());
  assert.equal(me.acct, "owner");
  const changed = await call("accounts.update_credentials", () => api.v1.accounts.updateCredentials({
    displayName: "Mona Lisa",
    note: "I paint. #art",
    avatar: new Blob([PNG], { type: "image/png" }),
    fieldsAttributes: [{ name: "web", value: "https://example.org" }],
  }));
  assert.equal(changed.displayName, "Mona Lisa");
  assert.equal((await fetch(changed.avatar)).status, 200);
  assert.equal(changed.fields[0].name, "web");
  await call("apps.verify_credentials", () => api.v1.apps.verifyCredentials());
  await call("preferences.get", () => api.v1.preferences.fetch());
  const profile = await call("profile.get", () => api.v1.profile.fetch());
  assert.ok(!profile || profile.displayName === "Mona Lisa");
  return me;
}

async function posting(api, other) {
  const file = new Blob([PNG], { type: "image/png" });
  const id = lacks.has("media.upload") ? "media.upload_v1" : "media.upload";
  const media = await call(id, () => (lacks.has("media.upload")
    ? api.v1.media.create({ file, description: "A pixel" })
    : api.v2.media.create({ file, description: "A pixel", focus: "0.1,-0.2" })));
  assert.equal(media.type, "image");
  assert.equal(media.meta.original.width, 2);
  const read = await fetch(media.url);
  assert.deepEqual(Buffer.from(await read.arrayBuffer()), PNG);
  // A sound is processed for a while: masto waits through 202 and 206.
  if (!lacks.has("media.upload")) {
    const sound = new Blob([Buffer.from("ID3aaaaaaaaaaaaaaaa")], { type: "audio/mpeg" });
    const waited = await call("media.upload", () => api.v2.media.create({ file: sound }));
    assert.equal(waited.type, "audio");
    assert.ok(waited.url, "it was not waited for");
  }
  await call("media.update", () => api.v1.media.$select(media.id).update({ description: "One pixel" }));

  const status = await call("statuses.create", () => api.v1.statuses.create({
    status: "Look, @other: #cats",
    mediaIds: [media.id],
    spoilerText: "a cat",
    sensitive: true,
    visibility: "public",
    language: "en",
  }));
  assert.equal(status.mediaAttachments[0].description, "One pixel");
  assert.equal(status.spoilerText, "a cat");
  assert.deepEqual(status.tags.map((tag) => tag.name), ["cats"]);
  assert.deepEqual(status.mentions.map((one) => one.acct), ["other"]);

  const key = { requestInit: { headers: { "Idempotency-Key": "once" } } };
  const once = await call("statuses.create", () => api.v1.statuses.create({ status: "Once" }, key));
  const again = await call("statuses.create", () => api.v1.statuses.create({ status: "Once" }, key));
  assert.equal(once.id, again.id);

  if (!lacks.has("polls.get")) {
    const asked = await call("statuses.create", () => api.v1.statuses.create({
      status: "Well?",
      poll: { options: ["yes", "no"], expiresIn: 3600, multiple: false },
    }));
    await call("polls.get", () => other.v1.polls.$select(asked.poll.id).fetch());
    const voted = await call("polls.vote", () => other.v1.polls.$select(asked.poll.id).votes.create({ choices: [1] }));
    assert.deepEqual([voted.voted, voted.votesCount], [true, 1]);
    assert.deepEqual(voted.options.map((option) => option.votesCount), [0, 1]);
    await assert.rejects(async () => await other.v1.polls.$select(asked.poll.id).votes.create({ choices: [0] }), /already voted/i);
  }

  if (!lacks.has("scheduled_statuses.list")) {
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const later = await call("statuses.create", () => api.v1.statuses.create({ status: "Later", scheduledAt }));
    assert.equal(later.params.text, "Later");
    const one = api.v1.scheduledStatuses.$select(later.id);
    assert.equal((await call("scheduled_statuses.list", () => api.v1.scheduledStatuses.list())).length, 1);
    await call("scheduled_statuses.get", () => one.fetch());
    await call("scheduled_statuses.update", () => one.update({ scheduledAt: new Date(Date.now() + 7_200_000).toISOString() }));
    await call("scheduled_statuses.delete", () => one.remove());
  }

  const edited = await call("statuses.update", () => api.v1.statuses.$select(once.id).update({ status: "Once more" }));
  if (edited) {
    assert.match(edited.content, /Once more/);
    const history = await call("statuses.history", () => api.v1.statuses.$select(once.id).history.list());
    assert.equal(history?.length ?? 2, 2);
    await call("statuses.source", () => api.v1.statuses.$select(once.id).source.fetch());
  }
  return status;
}

async function reading(api, other, status) {
  const reply = await call("statuses.create", () => other.v1.statuses.create({ status: "@owner Nice", inReplyToId: status.id }));
  const context = await call("statuses.context", () => api.v1.statuses.$select(status.id).context.fetch());
  assert.deepEqual(context.descendants.map((one) => one.id), [reply.id]);
  const one = other.v1.statuses.$select(status.id);
  await call("statuses.favourite", () => one.favourite());
  await call("statuses.reblog", () => one.reblog());
  await call("statuses.bookmark", () => one.bookmark());
  const seen = await call("statuses.get", () => one.fetch());
  assert.deepEqual([seen.favourited, seen.reblogged, seen.favouritesCount, seen.reblogsCount], [true, true, 1, 1]);
  assert.equal((await call("statuses.favourited_by", () => api.v1.statuses.$select(status.id).favouritedBy.list())).length, 1);
  assert.equal((await call("statuses.reblogged_by", () => api.v1.statuses.$select(status.id).rebloggedBy.list())).length, 1);
  assert.equal((await call("favourites.list", () => other.v1.favourites.list())).length, 1);
  assert.equal((await call("bookmarks.list", () => other.v1.bookmarks.list()))?.length ?? 1, 1);
  await call("statuses.unbookmark", () => one.unbookmark());
  await call("statuses.unreblog", () => one.unreblog());
  await call("statuses.pin", () => api.v1.statuses.$select(status.id).pin());
  await call("statuses.unpin", () => api.v1.statuses.$select(status.id).unpin());
  await call("statuses.mute", () => api.v1.statuses.$select(status.id).mute());
  await call("statuses.unmute", () => api.v1.statuses.$select(status.id).unmute());

  for (let number = 0; number < 5; number += 1) {
    await call("statuses.create", () => api.v1.statuses.create({ status: `number ${number}` }));
  }
  const home = await all("timelines.home", api.v1.timelines.home.list({ limit: 2 }));
  assert.equal(new Set(home.map((shown) => shown.id)).size, home.length, "a page repeats what the one before had");
  assert.ok(home.length >= 7, `${home.length} at home`);
  assert.ok((await all("timelines.public", api.v1.timelines.public.list({ limit: 2 }))).length >= 7);
  assert.equal((await all("timelines.tag", api.v1.timelines.tag.$select("cats").list({ limit: 2 }))).length, 1);
  const mine = await call("accounts.statuses", () => api.v1.accounts.$select(status.account.id).statuses.list({ limit: 40 }));
  assert.ok(mine.length >= 7);

  const found = await call(lacks.has("search.all") ? "search.all_v1" : "search.all", () => (lacks.has("search.all")
    ? api.v1.search.list({ q: "other" })
    : api.v2.search.list({ q: "other" })));
  assert.deepEqual(found.accounts.map((account) => account.acct), ["other"]);
}

async function relations(api, other, me) {
  const they = await call("accounts.lookup", () => api.v1.accounts.lookup({ acct: "other" }))
    ?? (await other.v1.accounts.verifyCredentials());
  const one = api.v1.accounts.$select(they.id);
  const followed = await call("accounts.follow", () => one.follow());
  assert.equal(followed.following, true);
  await call("accounts.follow", () => other.v1.accounts.$select(me.id).follow());
  const [tie] = await call("accounts.relationships", () => api.v1.accounts.relationships.fetch({ id: [they.id] }));
  assert.deepEqual([tie.following, tie.followedBy], [true, true]);
  assert.equal((await call("accounts.followers", () => api.v1.accounts.$select(me.id).followers.list())).length, 1);
  assert.equal((await call("accounts.following", () => api.v1.accounts.$select(me.id).following.list())).length, 1);
  await call("accounts.set_note", () => one.note.create({ comment: "a friend" }));
  assert.equal((await call("accounts.mute", () => one.mute())).muting, true);
  assert.equal((await call("mutes.list", () => api.v1.mutes.list())).length, 1);
  await call("accounts.unmute", () => one.unmute());

  const list = await call("lists.create", () => api.v1.lists.create({ title: "friends" }));
  await call("lists.add_accounts", () => api.v1.lists.$select(list.id).accounts.create({ accountIds: [they.id] }));
  assert.equal((await call("lists.accounts", () => api.v1.lists.$select(list.id).accounts.list())).length, 1);
  assert.ok((await all("timelines.list", api.v1.timelines.list.$select(list.id).list({ limit: 2 }))).length >= 1);
  await call("accounts.lists", () => one.lists.list());
  await call("lists.update", () => api.v1.lists.$select(list.id).update({ title: "best friends" }));
  assert.deepEqual((await call("lists.list", () => api.v1.lists.list())).map((own) => own.title), ["best friends"]);
  await call("lists.remove_accounts", () => api.v1.lists.$select(list.id).accounts.remove({ accountIds: [they.id] }));
  await call("lists.delete", () => api.v1.lists.$select(list.id).remove());

  return they;
}

// A block removes what the blocked account has caused, so it comes late.
async function blocking(api, they) {
  const one = api.v1.accounts.$select(they.id);
  assert.equal((await call("accounts.block", () => one.block())).blocking, true);
  assert.equal((await call("blocks.list", () => api.v1.blocks.list())).length, 1);
  await call("accounts.unblock", () => one.unblock());
  await call("domain_blocks.create", () => api.v1.domainBlocks.create({ domain: "bad.example" }));
  assert.deepEqual((await call("domain_blocks.list", () => api.v1.domainBlocks.list())) ?? ["bad.example"], ["bad.example"]);
  await call("domain_blocks.delete", () => api.v1.domainBlocks.remove({ domain: "bad.example" }));
}

async function filters(api, other) {
  const old = await call("filters_v1.create", () => api.v1.filters.create({ phrase: "drizzle", context: ["home"], wholeWord: true }));
  if (old) {
    await call("filters_v1.update", () => api.v1.filters.$select(old.id).update({ phrase: "drizzles", context: ["home"] }));
    assert.equal((await call("filters_v1.get", () => api.v1.filters.$select(old.id).fetch())).phrase, "drizzles");
    assert.equal((await call("filters_v1.list", () => api.v1.filters.list())).length, 1);
    await call("filters_v1.delete", () => api.v1.filters.$select(old.id).remove());
  }
  const made = await call("filters.create", () => api.v2.filters.create({
    title: "weather",
    context: ["home", "public"],
    filterAction: "hide",
    keywordsAttributes: [
      { keyword: "rain", wholeWord: true },
      { keyword: "snow", wholeWord: false },
    ],
  }));
  if (!made) {
    return;
  }
  assert.deepEqual(made.keywords.map((keyword) => [keyword.keyword, keyword.wholeWord]), [["rain", true], ["snow", false]]);
  await call("filters.update", () => api.v2.filters.$select(made.id).update({ title: "all weather", filterAction: "warn" }));
  const word = await call("filters.create_keyword", () => api.v2.filters.$select(made.id).keywords.create({ keyword: "hail" }));
  await call("filters.update_keyword", () => api.v2.filters.keywords.$select(word.id).update({ keyword: "hails" }));
  assert.equal((await call("filters.list_keywords", () => api.v2.filters.$select(made.id).keywords.list())).length, 3);
  await call("filters.delete_keyword", () => api.v2.filters.keywords.$select(word.id).remove());

  const status = await call("statuses.create", () => other.v1.statuses.create({ status: "It will rain." }));
  const [match] = (await call("statuses.get", () => api.v1.statuses.$select(status.id).fetch())).filtered;
  assert.deepEqual([match.filter.title, match.keywordMatches], ["all weather", ["rain"]]);
  const marked = await call("filters.create_status", () => api.v2.filters.$select(made.id).statuses.create({ statusId: status.id }));
  assert.equal((await call("filters.list_statuses", () => api.v2.filters.$select(made.id).statuses.list())).length, 1);
  await call("filters.get_status", () => api.v2.filters.statuses.$select(marked.id).fetch());
  await call("filters.delete_status", () => api.v2.filters.statuses.$select(marked.id).remove());
  assert.equal((await call("filters.list", () => api.v2.filters.list())).length, 1);
  await call("filters.delete", () => api.v2.filters.$select(made.id).remove());
}

async function notifications(api) {
  const told = await all("notifications.list", api.v1.notifications.list({ limit: 2 }));
  const kinds = new Set(told.map((one) => one.type));
  for (const kind of ["mention", "favourite", "reblog", "follow"]) {
    // What was undone is not told any more.
    assert.ok(kinds.has(kind) || kind === "reblog", `nobody was told of a ${kind}: ${[...kinds]}`);
  }
  const mentions = await call("notifications.list", () => api.v1.notifications.list({ types: ["mention"] }));
  if (!lacks.has("notifications.list.types")) {
    assert.deepEqual(new Set(mentions.map((one) => one.type)), new Set(["mention"]));
  }
  await call("notifications.get", () => api.v1.notifications.$select(told[0].id).fetch());
  const marked = await call("markers.save", () => api.v1.markers.create({ notifications: { lastReadId: told[0].id } }));
  if (marked) {
    assert.equal(marked.notifications.lastReadId, told[0].id);
    await call("markers.get", () => api.v1.markers.fetch({ timeline: ["notifications"] }));
  }
  const unread = await call("notifications.unread_count", () => api.v1.notifications.unreadCount.fetch());
  assert.equal(unread?.count ?? 0, 0);
  const grouped = await call("grouped_notifications.list", () => api.v2.notifications.list());
  if (grouped) {
    const group = grouped.notificationGroups.find((one) => one.type === "favourite");
    assert.equal(grouped.accounts.some((one) => one.id === group.sampleAccountIds[0]), true);
    assert.ok(grouped.statuses.some((one) => one.id === group.statusId));
    await call("grouped_notifications.get", () => api.v2.notifications.$select(group.groupKey).fetch());
    await call("grouped_notifications.accounts", () => api.v2.notifications.$select(group.groupKey).accounts.list());
    await call("grouped_notifications.dismiss", () => api.v2.notifications.$select(group.groupKey).dismiss());
  }
  const policy = await call("notification_policy.get", () => api.v2.notifications.policy.fetch());
  if (policy) {
    const changed = await call("notification_policy.update", () => api.v2.notifications.policy.update({ forNotFollowing: "filter" }));
    assert.equal(changed.forNotFollowing, "filter");
    await call("notification_policy.update", () => api.v2.notifications.policy.update({ forNotFollowing: "accept" }));
  }
  await call("notification_requests.list", () => api.v1.notifications.requests.list());
  await call("notifications.dismiss", () => api.v1.notifications.$select(told.at(-1).id).dismiss());
  await call("notifications.clear", () => api.v1.notifications.clear());
  assert.equal((await api.v1.notifications.list()).length, 0);
}

async function tags(api) {
  const tag = await call("tags.get", () => api.v1.tags.$select("cats").fetch());
  assert.equal(tag?.name ?? "cats", "cats");
  await call("tags.follow", () => api.v1.tags.$select("cats").follow());
  assert.deepEqual(((await call("followed_tags.list", () => api.v1.followedTags.list())) ?? [{ name: "cats" }]).map((one) => one.name), ["cats"]);
  await call("tags.unfollow", () => api.v1.tags.$select("cats").unfollow());
  const featured = await call("featured_tags.create", () => api.v1.featuredTags.create({ name: "cats" }));
  if (featured) {
    assert.equal((await call("featured_tags.list", () => api.v1.featuredTags.list())).length, 1);
    await call("featured_tags.suggestions", () => api.v1.featuredTags.suggestions.list());
    await call("featured_tags.delete", () => api.v1.featuredTags.$select(featured.id).remove());
  }
  const trending = await call("trends.tags", () => api.v1.trends.tags.list());
  assert.ok(!trending || trending.some((one) => one.name === "cats"));
  await call("trends.statuses", () => api.v1.trends.statuses.list());
  await call("trends.links", () => api.v1.trends.links.list());
  await call("suggestions.list", () => api.v2.suggestions.list());
  await call("directory.list", () => api.v1.directory.list());
  await call("custom_emojis.list", () => api.v1.customEmojis.list());
  await call("announcements.list", () => api.v1.announcements.list());
  await call("endorsements.list", () => api.v1.endorsements.list());
}

async function talking(api, other) {
  const direct = await call("statuses.create", () => other.v1.statuses.create({ status: "@owner psst", visibility: "direct" }));
  const talks = await call("conversations.list", () => api.v1.conversations.list());
  if (talks) {
    assert.deepEqual([talks[0].lastStatus.id, talks[0].unread], [direct.id, true]);
    const read = await call("conversations.mark_read", () => api.v1.conversations.$select(talks[0].id).read());
    assert.equal(read?.unread ?? false, false);
    await call("conversations.delete", () => api.v1.conversations.$select(talks[0].id).remove());
  }
  const endpoint = "https://push.example/1";
  // As long as an uncompressed point of P-256 and a secret are (RFC 8291).
  const keys = { p256dh: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString("base64url"), auth: Buffer.alloc(16, 7).toString("base64url") };
  const subscription = await call("push.create", () => api.v1.push.subscription.create({
    policy: "all",
    subscription: { endpoint, keys },
    data: { alerts: { mention: true } },
  }));
  if (subscription) {
    // Mastodon up to 2.9.3 answers what it was sent, which in a form is text.
    assert.equal(String(subscription.alerts.mention), "true");
    await call("push.get", () => api.v1.push.subscription.fetch());
    await call("push.update", () => api.v1.push.subscription.update({ policy: "all", data: { alerts: { follow: true } } }));
    await call("push.delete", () => api.v1.push.subscription.remove());
  }
}

async function moderating(api, other, they) {
  const status = await call("statuses.create", () => other.v1.statuses.create({ status: "Buy this!" }));
  const report = await call("reports.create", () => api.v1.reports.create({ accountId: they.id, statusIds: [status.id], comment: "spam" }));
  const reports = await call("admin_reports.list", () => api.v1.admin.reports.list());
  if (reports) {
    assert.deepEqual(reports.map((one) => one.id), [report.id]);
    const one = api.v1.admin.reports.$select(report.id);
    await call("admin_reports.get", () => one.fetch());
    await call("admin_reports.assign_to_self", () => one.assignToSelf());
    await call("admin_reports.unassign", () => one.unassign());
    const resolved = await call("admin_reports.resolve", () => one.resolve());
    assert.equal(resolved.actionTaken, true);
    await call("admin_reports.reopen", () => one.reopen());
  }
  const accounts = await call("admin_accounts.list", () => api.v2.admin.accounts.list({ username: "other" }));
  assert.deepEqual((accounts ?? [{ username: "other" }]).map((one) => one.username), ["other"]);
  await call("admin_accounts.get", () => api.v1.admin.accounts.$select(they.id).fetch());
  if (!isGotosocial) {
    await call("admin_accounts.action", () => api.v1.admin.accounts.$select(they.id).action.create({ type: "silence" }));
    const freed = await call("admin_accounts.unsilence", () => api.v1.admin.accounts.$select(they.id).unsilence());
    assert.equal(freed?.silenced ?? false, false);
  }
  const blocked = await call("admin_domain_blocks.create", () => api.v1.admin.domainBlocks.create({ domain: "bad.example", severity: "silence" }));
  if (blocked) {
    await call("admin_domain_blocks.list", () => api.v1.admin.domainBlocks.list());
    await call("admin_domain_blocks.get", () => api.v1.admin.domainBlocks.$select(blocked.id).fetch());
    await call("admin_domain_blocks.update", () => api.v1.admin.domainBlocks.$select(blocked.id).update({ severity: "suspend" }));
    await call("admin_domain_blocks.delete", () => api.v1.admin.domainBlocks.$select(blocked.id).remove());
  }
  const allowed = await call("admin_domain_allows.create", () => api.v1.admin.domainAllows.create({ domain: "good.example" }));
  if (allowed) {
    await call("admin_domain_allows.delete", () => api.v1.admin.domainAllows.$select(allowed.id).remove());
  }
  const mail = await call("admin_email_domain_blocks.create", () => api.v1.admin.emailDomainBlocks.create({ domain: "spam.example" }));
  if (mail) {
    assert.equal((await call("admin_email_domain_blocks.list", () => api.v1.admin.emailDomainBlocks.list())).length, 1);
    await call("admin_email_domain_blocks.delete", () => api.v1.admin.emailDomainBlocks.$select(mail.id).remove());
  }
  const network = await call("admin_ip_blocks.create", () => api.v1.admin.ipBlocks.create({ ip: "8.8.8.0/24", severity: "no_access", comment: "", expiresIn: 3600 }));
  if (network) {
    await call("admin_ip_blocks.update", () => api.v1.admin.ipBlocks.$select(network.id).update({ comment: "no" }));
    await call("admin_ip_blocks.delete", () => api.v1.admin.ipBlocks.$select(network.id).remove());
  }
  const address = await call("admin_canonical_email_blocks.create", () => api.v1.admin.canonicalEmailBlocks.create({ email: "a@spam.example" }));
  if (address) {
    const tested = await call("admin_canonical_email_blocks.test", () => api.v1.admin.canonicalEmailBlocks.test({ email: "A+1@spam.example" }));
    assert.deepEqual(tested.map((one) => one.id), [address.id]);
    await call("admin_canonical_email_blocks.delete", () => api.v1.admin.canonicalEmailBlocks.$select(address.id).remove());
  }
  const day = (back) => new Date(Date.now() - back * 86_400_000).toISOString();
  const span = { startAt: day(3), endAt: day(0) };
  const measures = await call("admin_measures.get", () => api.v1.admin.measures.create({ keys: ["active_users", "new_users"], ...span }));
  assert.ok(!measures || Number(measures[0].total) >= 1);
  await call("admin_dimensions.get", () => api.v1.admin.dimensions.create({ keys: ["languages", "space_usage"], ...span }));
  await call("admin_retention.get", () => api.v1.admin.retention.create({ frequency: "day", ...span }));
  await call("admin_trends.tags", () => api.v1.admin.trends.tags.list());
  await call("admin_trends.statuses", () => api.v1.admin.trends.statuses.list());
  await call("admin_trends.links", () => api.v1.admin.trends.links.list());
}

/** The instance document, whichever the release has. */
async function instance(api) {
  const old = await call("instance.get_v1", () => api.v1.instance.fetch());
  const now = await call("instance.get", () => api.v2.instance.fetch());
  return now?.configuration.urls.streaming ?? old?.urls.streamingApi;
}

async function listening(api, accessToken, streamingApiUrl) {
  const streaming = createStreamingAPIClient({ streamingApiUrl, accessToken });
  const user = streaming.user.subscribe();
  const tag = streaming.hashtag.subscribe({ tag: "ears" });
  const one = async (events, wanted) => {
    for await (const event of events) {
      if (wanted(event)) {
        return event;
      }
    }
    throw new Error("the stream has ended");
  };
  const heard = Promise.all([
    one(user, (event) => event.event === "update").then(() => one(user, (event) => event.event === "delete")),
    one(tag, (event) => event.event === "update"),
  ]);
  let done = false;
  heard.then(() => {
    done = true;
  });
  while (!done) {
    const status = await call("statuses.create", () => api.v1.statuses.create({ status: "Listen. #ears" }));
    await call("statuses.delete", () => api.v1.statuses.$select(status.id).remove());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [, tagged] = await heard;
  assert.match(tagged.payload.content, /Listen/);
  assert.deepEqual(tagged.stream, ["hashtag", "ears"]);
  user.unsubscribe();
  tag.unsubscribe();
  streaming.close();
}

const accessToken = await signIn();
const api = createRestAPIClient({ url, accessToken });
const other = createRestAPIClient({ url, accessToken: otherToken });
const streamingApiUrl = await instance(api);
const me = await account(api);
const status = await posting(api, other);
await reading(api, other, status);
const they = await relations(api, other, me);
await filters(api, other);
await notifications(api);
await blocking(api, they);
await tags(api);
await talking(api, other);
await moderating(api, other, they);
await listening(api, accessToken, streamingApiUrl);
console.log(`all is well: ${tally.made} calls, and ${tally.lacking} that the release lacks`);
