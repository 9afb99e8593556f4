// A suite that tests a client, here masto, with a stand-in.

import { createRestAPIClient } from "masto";
import { beforeEach, expect, test } from "vitest";
import { standin } from "./standin.js";

const server = standin({ release: process.env.STANDIN_RELEASE });
let client;

beforeEach(() => {
  client = createRestAPIClient({ url: server.url, accessToken: server.token });
});

test("a post is in the home timeline", async () => {
  const posted = await client.v1.statuses.create({ status: "Hello" });
  const home = await client.v1.timelines.home.list();
  expect(home.map((status) => status.id)).toEqual([posted.id]);
  const [call] = await server.calls("statuses.create");
  expect(call).toMatchObject({ status: 200, body: { status: "Hello" } });
});

test("each test begins anew", async () => {
  expect(await client.v1.timelines.home.list()).toEqual([]);
  expect((await server.calls()).filter((call) => call.method === "POST")).toEqual([]);
});

test("the client tells that the server is down", async () => {
  await server.fault("timelines.home", { times: 1, status: 503 });
  await expect(client.v1.timelines.home.list()).rejects.toMatchObject({ statusCode: 503 });
  expect(await client.v1.timelines.home.list()).toEqual([]);
  expect((await server.calls("timelines.home")).map((call) => call.status)).toEqual([503, 200]);
});

test("a scheduled post is posted when its time comes", async () => {
  await server.clock({ set: "2026-01-01T00:00:00Z" });
  await client.v1.statuses.create({ status: "Later", scheduledAt: "2026-01-01T01:00:00.000Z" });
  expect(await client.v1.timelines.home.list()).toEqual([]);
  await server.clock({ advance: 3600 });
  expect(await client.v1.timelines.home.list()).toHaveLength(1);
});

test("people follow and write", async () => {
  const mona = await server.account("mona", { locked: true, token: "monas-token" });
  expect(mona.token).toBe("monas-token");
  const bob = await server.remote("bob@other.example", { status: "From afar" });
  const status = await client.v1.statuses.$select(bob.status_id).fetch();
  expect(status.account.acct).toBe("bob@other.example");
  expect((await client.v1.accounts.$select(mona.id).follow()).requested).toBe(true);
});

test("a mistake in a fault is told", async () => {
  await expect(server.fault("timelines.hom", { status: 500 })).rejects.toThrow("timelines.home");
});

test("a state is taken back", async () => {
  const before = await server.snapshot();
  await client.v1.statuses.create({ status: "Gone" });
  await server.restore(before);
  expect(await client.v1.timelines.home.list()).toEqual([]);
});
