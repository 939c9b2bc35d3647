import { things } from "@reeve/testkit";
import { expect, it } from "vitest";
import type { PostgresStoreOptions } from "../src/index.js";
import { ANSWERED, askedOf } from "./asked.js";
import { freshStore, openStore } from "./support.js";
import { openWay } from "./way.js";

/** A store on a way that can fall silent, and what operations on it answer. */
async function served(options: Partial<PostgresStoreOptions>) {
  const { url } = await freshStore();
  const way = await openWay(url);
  const short = { connectionTimeoutMs: 400, answerTimeoutMs: 400, directUrl: url };
  const store = openStore(way.url, { ...short, ...options });
  return { way, store, asked: await askedOf(store) };
}

const refused = expect.stringMatching(/^(storage_(busy|unavailable)|outcome_unknown)$/);

it("O1 a host that hangs is 503 for every operation and never 500, until it answers again", async () => {
  const { way, asked } = await served({});
  await expect.poll(asked).toEqual(ANSWERED);
  way.silence(true);
  for (let round = 0; round < 3; round++) expect(await asked()).toEqual([refused, refused, refused, refused]);
  way.silence(false);
  await expect.poll(asked).toEqual(ANSWERED);
});

it("a pool that is exhausted is 503 for every operation and never 500, until a connection is free", async () => {
  const { store, asked } = await served({ poolSize: 1, answerTimeoutMs: 10_000 });
  await expect.poll(asked).toEqual(ANSWERED);
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
  await expect.poll(asked).toEqual(ANSWERED);
});
