import { createWorld } from "@reeve/testkit";
import { createDatabase } from "@reeve/testkit/postgres";
import { afterEach, expect, inject, it, onTestFinished, vi } from "vitest";
import { Session } from "../src/connect/session.js";
import { createPostgresStore } from "../src/index.js";

afterEach(() => {
  vi.restoreAllMocks();
});

it("O7 the overview takes at most six round trips, with all its numbers and lists", async () => {
  const { url, drop } = await createDatabase(inject("postgresUrl"));
  const store = createPostgresStore({ url, poolSize: 2 });
  onTestFinished(async () => {
    await store.close();
    await drop();
  });
  await store.migrate();
  const { a } = await createWorld({ store });
  const look = () => a.send("GET", "/api/v1/ai/overview", { token: a.owner.token });
  const first = await look();
  expect(first.status, first.text).toBe(200);
  expect(first.json.attention.totalItems).toBeGreaterThan(0);
  const [alone, together] = [vi.spyOn(Session.prototype, "send"), vi.spyOn(Session.prototype, "read")];
  const { asOf: _before, ...seen } = first.json;
  const { asOf: _now, ...again } = (await look()).json;
  expect(again).toEqual(seen);
  expect(alone.mock.calls.length + together.mock.calls.length).toBeLessThanOrEqual(6);
});
