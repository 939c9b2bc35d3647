import { createPlane, createTenant, things } from "@reeve/testkit";
import { expect, it } from "vitest";
import type { PostgresStoreOptions } from "../src/index.js";
import { freshStore, openStore } from "./support.js";
import { openWay } from "./way.js";

/** A control plane on a way that can fall silent, and what its operations answer. */
async function served(options: Partial<PostgresStoreOptions>) {
  const { url } = await freshStore();
  const way = await openWay(url);
  const short = { connectionTimeoutMs: 400, answerTimeoutMs: 400, directUrl: url };
  const store = openStore(way.url, { ...short, ...options });
  const plane = createPlane({ store });
  await plane.controlPlane.ready();
  const { owner } = await createTenant(plane, "served");
  const { token } = owner;
  let n = 0;
  const asked = async () => {
    n += 1;
    const body = { name: `asset ${n}`, assetType: "application" };
    const headers = { "idempotency-key": `key-${n}` };
    const answers = await Promise.all([
      plane.send("GET", "/api/v1/ai-assets", { token }),
      plane.send("POST", "/api/v1/ai-assets", { token, body, headers }),
      plane.send("GET", "/api/v1/monitor/ping"),
      plane.send("POST", "/api/v1/auth/signin", { body: { username: "served@example.test", password: "a wrong one" } }),
    ]);
    return answers.map(({ status, json }) => (status === 503 ? json.code : status));
  };
  return { way, store, asked };
}

const refused = expect.stringMatching(/^(storage_(busy|unavailable)|outcome_unknown)$/);

it("O1 a host that hangs is 503 for every operation and never 500, until it answers again", async () => {
  const { way, asked } = await served({});
  await expect.poll(asked).toEqual([200, 201, 200, 401]);
  way.silence(true);
  for (let round = 0; round < 3; round++) expect(await asked()).toEqual([refused, refused, refused, refused]);
  way.silence(false);
  await expect.poll(asked).toEqual([200, 201, 200, 401]);
});

it("a pool that is exhausted is 503 for every operation and never 500, until a connection is free", async () => {
  const { store, asked } = await served({ poolSize: 1, answerTimeoutMs: 10_000 });
  await expect.poll(asked).toEqual([200, 201, 200, 401]);
  let isHolding = (): void => undefined;
  const holding = new Promise<void>((resolve) => {
    isHolding = resolve;
  });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const work = store.transaction("other", async (tx) => {
    await tx.count(things);
    isHolding();
    await released;
  });
  await holding;
  expect(await asked()).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^storage_(busy|unavailable)$/)));
  release();
  await work;
  await expect.poll(asked).toEqual([200, 201, 200, 401]);
});
