// The environment of masto.js's tests in `.ci/suites`: users come from the control API of the stand-in, where the suite's own takes them from
// a container of Mastodon and keeps them in Redis. As a configuration of vitest it names itself as that environment.

import { fileURLToPath } from "node:url";

const { SUITES_URL: url, SUITES_CONTROL: control, SUITES_OWNER: owner } = process.env;

async function ask(path, body, token) {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  const answer = await fetch(url + path, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
  return answer.json();
}

// For Node 20, which the suite has no support for.
Promise.withResolvers ??= () => {
  let functions;
  const promise = new Promise((resolve, reject) => (functions = { resolve, reject }));
  return { promise, ...functions };
};

/** Each session gets an account of its own. */
const tokens = {
  async acquire() {
    const username = `user_${Math.random().toString(36).slice(2)}`;
    return { accessToken: (await ask("/_standin/accounts", { username, token: true }, control)).token };
  },
  async release() {},
};

async function setup() {
  const scopes = "read write follow push admin:read admin:write";
  const app = await ask("/api/v1/apps", { client_name: "suites", redirect_uris: "urn:ietf:wg:oauth:2.0:oob", scopes });
  const instance = await ask("/api/v1/instance");
  globalThis.__misc__ = {
    url,
    app: { ...app, clientId: app.client_id, clientSecret: app.client_secret },
    instance: { urls: { streamingApi: instance.urls.streaming_api } },
    tokens,
    adminToken: { accessToken: owner },
  };
  return { teardown() {} };
}

const utils = (name) => `./test-utils/setup-files/vitest-${name}.ts`;

export default {
  name: "stand-in",
  viteEnvironment: "ssr",
  setup,
  test: {
    globals: true,
    pool: "threads",
    testTimeout: 60_000,
    environment: fileURLToPath(import.meta.url),
    setupFiles: ["extend-expect", "polyfills", "sessions"].map(utils),
    include: ["tests/**/*.spec.ts"],
  },
};
