// A helper for vitest: a stand-in server of any release of Mastodon or GoToSocial, which a test drives.
//
//     import { standin } from "./standin.js";
//     const server = standin({ release: "mastodon@4.3.0" });
//     test("..", async () => { await server.fault("timelines.home", { times: 2, status: 503 }); .. });
//
// The server runs for the file; each test begins with the state at its start. The program `fedispec` is looked for in PATH, or named by
// `command` or the variable FEDISPEC. Any runner with these hooks can be used: `standin(options, { beforeAll, beforeEach, afterAll })`.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import * as vitest from "vitest";

/** A running stand-in: `url` and `token` are for the client under test, the methods for the test. */
export class StandIn {
  #options;
  #process;
  #control;

  constructor(options = {}) {
    this.#options = options;
  }

  /** Starts the server. */
  async start() {
    const { release, seed, command = process.env.FEDISPEC ?? "fedispec" } = this.#options;
    const flags = [["--as", release], ["--seed", seed]].filter(([, value]) => value !== undefined);
    const [program, ...first] = Array.isArray(command) ? command : [command];
    this.#process = spawn(program, [...first, "serve", ...flags.flat().map(String)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const failed = once(this.#process, "error").then(([error]) => Promise.reject(error));
    const lines = createInterface({ input: this.#process.stdout });
    const ended = once(lines, "close").then(() => Promise.reject(new Error("the stand-in did not start")));
    failed.catch(() => {});
    ended.catch(() => {});
    const [line] = await Promise.race([once(lines, "line"), failed, ended]);
    const { control, as: presents, ...started } = JSON.parse(line);
    Object.assign(this, started, { release: presents });
    this.#control = control;
    return this;
  }

  /** Calls the control API; /_standin/openapi.json describes it. */
  async call(method, path, body) {
    const answer = await fetch(`${this.url}/_standin/${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#control}`, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  /** Returns to the state at the start: accounts, clock, faults and calls. */
  reset() {
    return this.call("POST", "reset");
  }

  /** Adds an account: `{ id, token }`. More are `locked`, `display_name`, `role` and `token`. */
  account(username, more = {}) {
    return this.call("POST", "accounts", { username, ...more });
  }

  /** Adds an account of another server and, with `status`, a status of it: `{ id, status_id }`. */
  remote(account, status = {}) {
    return this.call("POST", "remote", { account, ...status });
  }

  /** Posts a status of any account. Answers its id. */
  async post(account_id, status, more = {}) {
    return (await this.call("POST", "statuses", { account_id, status, ...more })).id;
  }

  /** Lets calls of an operation fail, or with `null` those of `path`: `fault("timelines.home", { times: 2, status: 503 })`. */
  fault(operation, fault) {
    return this.call("POST", "faults", operation === null ? fault : { operation, ...fault });
  }

  /** Removes all faults. */
  clearFaults() {
    return this.call("DELETE", "faults");
  }

  /** The calls since the start of the test, or those to one operation. */
  calls(operation) {
    return this.call("GET", operation === undefined ? "calls" : `calls?${new URLSearchParams({ operation })}`);
  }

  /** Sets the time (`{ set: "2026-01-01T00:00:00Z" }`), moves it (`{ advance: 3600 }`), or lets it stand (`{ freeze: true }`). */
  clock(clock) {
    return this.call("POST", "clock", clock);
  }

  /** The whole state, for `restore`. */
  snapshot() {
    return this.call("GET", "snapshot");
  }

  /** Takes over the state of a snapshot. */
  restore(snapshot) {
    return this.call("POST", "snapshot", snapshot);
  }

  /** Ends the server. */
  async stop() {
    if (this.#process === undefined || this.#process.exitCode !== null) return;
    const exited = once(this.#process, "exit");
    this.#process.kill("SIGTERM");
    await exited;
  }
}

/** A server for the tests of a file. */
export function standin(options, { beforeAll, beforeEach, afterAll } = vitest) {
  const server = new StandIn(options);
  beforeAll(() => server.start());
  beforeEach(() => server.reset());
  afterAll(() => server.stop());
  return server;
}
