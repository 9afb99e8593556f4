// Logs in as an application with masto does: `login.mjs URL`. It ends with an error where an answer is not as it should be.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import path from "node:path";

// Its packages are not beside it, but where `tests/setup` put them.
const require = createRequire(path.join(process.env.FEDISPEC_NODE, "package.json"));
const { createRestAPIClient, createOAuthAPIClient } = require("masto");

const url = process.argv[2];
const redirectUris = ["http://127.0.0.1:9/callback", "urn:ietf:wg:oauth:2.0:oob"];
const [redirectUri] = redirectUris;
const scope = "read write";

const app = await createRestAPIClient({ url }).v1.apps.create({ clientName: "tests", redirectUris, scopes: scope });
assert.deepEqual(app.redirectUris, redirectUris);

// A code for the challenge of a verifier.
async function consent(verifier) {
  const ask = new URL("/oauth/authorize", url);
  ask.search = new URLSearchParams({
    response_type: "code",
    client_id: app.clientId,
    redirect_uri: redirectUri,
    scope,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const page = await fetch(ask, { redirect: "manual" });
  const back = new URL(page.headers.get("location"));
  assert.equal(back.origin + back.pathname, redirectUri);
  return back.searchParams.get("code");
}

const verifier = () => randomBytes(32).toString("base64url");

async function logIn() {
  const oauth = createOAuthAPIClient({ url });
  const client = { clientId: app.clientId, clientSecret: app.clientSecret, redirectUri, grantType: "authorization_code", scope };
  const first = verifier();
  const code = await consent(first);
  await assert.rejects(oauth.token.create({ ...client, code, codeVerifier: verifier() }), /invalid_grant/);
  const second = verifier();
  const token = await oauth.token.create({ ...client, code: await consent(second), codeVerifier: second });
  return token.accessToken;
}

// The client's id and secret in a header, as RFC 6749 prefers it.
async function logInWithBasic() {
  const proof = verifier();
  const basic = (secret) => ({ Authorization: `Basic ${Buffer.from(`${app.clientId}:${secret}`).toString("base64")}` });
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code: await consent(proof),
    code_verifier: proof,
    redirect_uri: redirectUri,
  });
  const token = (secret) => fetch(new URL("/oauth/token", url), { method: "POST", headers: basic(secret), body });
  const refused = await token("another");
  assert.equal(refused.status, 401);
  assert.equal((await refused.json()).error, "invalid_client");
  const granted = await token(app.clientSecret);
  assert.equal(granted.status, 200);
  return (await granted.json()).access_token;
}

// An upload is answered with 202, and asked for until it is processed.
async function upload(api) {
  const file = new Blob([new Uint8Array(3000)], { type: "image/png" });
  const accepted = await api.v2.media.create({ file, skipPolling: true });
  assert.equal(accepted.url ?? null, null);
  const media = await api.v2.media.create({ file });
  assert.match(media.url, /^https:/);
}

// PUT is what masto sends; Mastodon's router takes PATCH too.
async function edit(api, accessToken) {
  const { id } = await api.v1.statuses.create({ status: "Hello" });
  const edited = await api.v1.statuses.$select(id).update({ status: "Hello again" });
  assert.equal(edited.content, "Hello again");
  const answer = await fetch(new URL(`/api/v1/statuses/${id}`, url), {
    method: "PATCH",
    headers: { Authorization: `Bearer ${accessToken}` },
    body: new URLSearchParams({ status: "Hello at last" }),
  });
  assert.equal(answer.status, 200);
  assert.equal((await answer.json()).content, "Hello at last");
}

const accessToken = await logIn();
const api = createRestAPIClient({ url, accessToken });
await upload(api);
await edit(api, accessToken);
const another = await logInWithBasic();
assert.notEqual(another, accessToken);
await edit(createRestAPIClient({ url, accessToken: another }), another);
console.log("all is well");
