import { effectOf } from "@reeve/core/reference";
import { createWorld, sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { createDatabase } from "@reeve/testkit/postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createPostgresStore } from "../src/index.js";

const writes = table.filter((operation) => effectOf(operation) !== "read" && !sampleOf(operation).elsewhere);

/** With one connection, a request for a second one while the first is held waits until its timeout and is refused. */
describe("with a pool of one connection", () => {
  let world: World;
  const undo: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const { url, drop } = await createDatabase(inject("postgresUrl"));
    const store = createPostgresStore({ url, poolSize: 1, connectionTimeoutMs: 3_000 });
    undo.push(() => store.close(), drop);
    await store.migrate();
    world = await createWorld({ store, tokenLifetime: 86_400 });
  });
  afterAll(async () => {
    for (const step of undo) await step();
  });

  it.each(writes.map((operation) => [operation.id, operation] as const))(
    "%s waits for no other",
    async (_id, operation) => {
      const { a } = world;
      // A separate owner, because some operations end their caller's sessions.
      const { owner } = a.provider;
      const caller = a.callerOf(operation) === owner ? owner : await a.newUser(["owner"]);
      const params = (await sampleOf(operation).arrange?.(a, caller)) ?? {};
      // Lets caches expire, as they do within minutes.
      world.clock.advance(sampleOf(operation).goodForMs ?? 300_000);
      const answer = await sendSample(a, operation, caller, { params });
      expect(answer.status, answer.text).toBe(operation.success.status);
    },
  );
});
