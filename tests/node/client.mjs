// Talks to a server as an application with masto does: `client.mjs URL`. It ends with an error where an answer is not as it should be.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";

// Its packages are not beside it, but where `tests/setup` put them.
const require = createRequire(path.join(process.env.FEDISPEC_NODE, "package.json"));
const { createRestAPIClient, createOAuthAPIClient, createStreamingAPIClient } = require("masto");

const url = process.argv[2];

async function logIn() {
  const open = createRestAPIClient({ url });
  const app = await open.v1.apps.create({
    clientName: "tests",
    redirectUris: "urn:ietf:wg:oauth:2.0:oob",
    scopes: "read write",
  });
  const oauth = createOAuthAPIClient({ url });
  const token = await oauth.token.create({
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    grantType: "password",
    username: "mona@example.org",
    password: "hunter2",
    scope: "read write",
  });
  return token.accessToken;
}

async function account(api) {
  assert.equal((await api.v1.accounts.verifyCredentials()).username, "mona");
  const changed = await api.v1.accounts.updateCredentials({
    displayName: "Mona Lisa",
    avatar: new Blob([new Uint8Array(5000)], { type: "image/png" }),
    fieldsAttributes: [
      { name: "web", value: "a" },
      { name: "mail", value: "b" },
    ],
  });
  assert.equal(changed.displayName, "Mona Lisa");
  assert.match(changed.avatar, /\?5000$/);
  assert.deepEqual(changed.fields.map((f) => [f.name, f.value]), [["web", "a"], ["mail", "b"]]);
}

async function statuses(api) {
  const file = new Blob([new Uint8Array(3000)], { type: "image/png" });
  const media = await api.v2.media.create({ file, description: "A picture", skipPolling: true });
  const status = await api.v1.statuses.create({ status: "Hello", mediaIds: [media.id] });
  assert.deepEqual(status.mediaAttachments.map((m) => m.id), [media.id]);
  const asked = await api.v1.statuses.create({
    status: "Well?",
    poll: { options: ["yes", "no"], expiresIn: 3600, multiple: false },
  });
  assert.deepEqual(asked.poll.options.map((o) => o.title), ["yes", "no"]);
  for (let number = 0; number < 5; number += 1) {
    await api.v1.statuses.create({ status: `number ${number}` });
  }
  let count = 0;
  for await (const page of api.v1.timelines.home.list({ limit: 3 })) {
    count += page.length;
  }
  assert.equal(count, 7);
  assert.equal((await api.v1.notifications.list({ limit: 1, types: ["mention", "poll"] })).length, 1);
}

async function rest(api) {
  const made = await api.v2.filters.create({
    title: "weather",
    context: ["home", "public"],
    filterAction: "hide",
    keywordsAttributes: [
      { keyword: "rain", wholeWord: true },
      { keyword: "drizzle", wholeWord: false },
    ],
  });
  assert.deepEqual(made.keywords.map((k) => [k.keyword, k.wholeWord]), [["rain", true], ["drizzle", false]]);
  assert.deepEqual(made.context, ["home", "public"]);
  await api.v1.lists.create({ title: "friends" });
  assert.deepEqual((await api.v1.lists.list()).map((one) => one.title), ["friends"]);
  await assert.rejects(async () => await api.v1.bookmarks.list(), /not implemented/);
}

async function stream(api, accessToken) {
  const streamingApiUrl = (await api.v2.instance.fetch()).configuration.urls.streaming;
  const streaming = createStreamingAPIClient({ streamingApiUrl, accessToken });
  const user = streaming.user.subscribe();
  const tag = streaming.hashtag.subscribe({ tag: "cats" });
  const heardTag = (async () => {
    for await (const event of tag) {
      return event;
    }
  })();
  const heard = (async () => {
    const events = [];
    for await (const event of user) {
      events.push(event);
      // Who connects between the two hears only this one, and the next pair.
      if (event.event === "delete" && events.some((one) => one.event === "update")) {
        return events;
      }
    }
  })();
  let done = false;
  heard.then(() => {
    done = true;
  });
  while (!done) {
    const status = await api.v1.statuses.create({ status: "listen" });
    await api.v1.statuses.$select(status.id).remove();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const events = await heard;
  const update = events.find((event) => event.event === "update");
  assert.equal(update.payload.content, "<p>listen</p>");
  assert.deepEqual(update.stream, ["user"]);
  const tagged = await heardTag;
  assert.equal(tagged.payload, "cats");
  assert.deepEqual(tagged.stream, ["hashtag", "cats"]);
  user.unsubscribe();
  tag.unsubscribe();
  streaming.close();
}

const accessToken = await logIn();
const api = createRestAPIClient({ url, accessToken });
await account(api);
await statuses(api);
await rest(api);
await stream(api, accessToken);
console.log("all is well");
