import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { effectOf } from "@reeve/core/reference";
import { createPlane, createTenant, createWorld, sampleOf, sendSample, table, type World } from "@reeve/testkit";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { createSqliteStore } from "../src/index.js";

const writes = table.filter((operation) => effectOf(operation) !== "read" && !sampleOf(operation).elsewhere);

/** A store on a host's handle that waits for no lock, so that a statement which meets one fails at once. */
function impatientHost() {
  const folder = mkdtempSync(join(inject("temporaryFolder"), "reeve-sqlite-"));
  const database = new Database(join(folder, "host.sqlite"), { timeout: 0 });
  database.exec("create table orders (id integer primary key)");
  const store = createSqliteStore({ database });
  const insert = database.prepare("insert into orders default values");
  const close = async () => {
    await store.close();
    database.close();
    rmSync(folder, { recursive: true });
  };
  return { store, order: () => void insert.run(), close };
}

/** Takes a step in each turn of the event loop while `work` is under way. Rejects with the first failure of a step. */
async function besideEveryTurn<T>(step: () => void, work: () => Promise<T>): Promise<T> {
  let next: NodeJS.Immediate | undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    const go = () => {
      try {
        step();
        next = setImmediate(go);
      } catch (error) {
        reject(error);
      }
    };
    next = setImmediate(go);
  });
  try {
    return await Promise.race([work(), failed]);
  } finally {
    clearImmediate(next);
  }
}

describe("statements of a host between turns of the event loop meet no lock beside", () => {
  let world: World;
  let host: ReturnType<typeof impatientHost>;
  beforeAll(async () => {
    host = impatientHost();
    await host.store.migrate();
    world = await createWorld({ store: host.store, tokenLifetime: 86_400 });
  });
  afterAll(() => host.close());

  it.each(writes.map((operation) => [operation.id, operation] as const))("%s", async (_id, operation) => {
    const { a } = world;
    // A separate owner, because some operations end their caller's sessions.
    const { owner } = a.provider;
    const caller = a.callerOf(operation) === owner ? owner : await a.newUser(["owner"]);
    const params = (await sampleOf(operation).arrange?.(a, caller)) ?? {};
    // Lets caches expire, as they do within minutes.
    world.clock.advance(sampleOf(operation).goodForMs ?? 300_000);
    const answer = await besideEveryTurn(host.order, () => sendSample(a, operation, caller, { params }));
    expect(answer.status, answer.text).toBe(operation.success.status);
  });
});

describe("a host on the file of its handle", () => {
  it("writes in timers and in handlers that call, beside calls that never pause", async () => {
    const { store, order, close } = impatientHost();
    onTestFinished(close);
    const plane = createPlane({ store });
    const { owner } = await createTenant(plane, "one");
    const create = async () => {
      const body = { name: "asset", assetType: "agent" };
      const { status, text } = await plane.send("POST", "/api/v1/ai-assets", { token: owner.token, body });
      expect(status, text).toBe(201);
    };
    const loop = async () => {
      for (let left = 20; left > 0; left--) await create();
    };
    const orderAfter = async (steps: number) => {
      for (let step = 0; step < steps; step++) await Promise.resolve();
      order();
    };
    const handler = async (steps: number) => {
      for (let left = 20; left > 0; left--) {
        await Promise.all([create(), orderAfter(steps)]);
        await orderAfter(steps);
      }
    };
    const orders = setInterval(order);
    onTestFinished(() => clearInterval(orders));
    const handlers = Array.from({ length: 8 }, (_, n) => handler(20 * n));
    await besideEveryTurn(order, () => Promise.all([loop(), loop(), ...handlers]));
  });
});
