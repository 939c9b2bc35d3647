import { expect } from "vitest";
import { listAll } from "../../calls.js";
import type { Bench } from "../bench.js";
import type { ConformanceCase } from "../case.js";
import { type Listing, listingsOf } from "../listings.js";
import { has } from "../truth.js";

/** Answers of one call that are cut off, at most. */
const CUTS = 16;

/** What becomes of calls whose answers are lost on the way, one after the other. */
export const cutCases: readonly ConformanceCase[] = [
  {
    name: "a listing that is broken off is a failure that may pass, and never complete",
    applies: ({ connector: { manifest } }) =>
      manifest.capabilities.some((name) => ["discover", "resources", "observe", "usage"].includes(name)),
    async run(bench) {
      for (const listing of listingsOf(bench)) await cutListing(bench, listing);
    },
  },
  {
    name: "a grant whose answer is lost is not said to have failed",
    needs: ["grant"],
    run: (bench) => cutWrite(bench, "grant"),
  },
  {
    name: "a revocation whose answer is lost is not said to have failed",
    needs: ["revoke"],
    run: (bench) => cutWrite(bench, "revoke"),
  },
  {
    name: "a check whose answer is lost is a failure, and never absence",
    needs: ["verify", "grant"],
    async run(bench) {
      const [wanted] = bench.access.wanted;
      await bench.give(wanted);
      await eachCut(bench, async () => {
        const call = bench.calls().verify(wanted);
        const found = await call.catch(() => undefined);
        if (found) expect(found.presence, "verify was not answered").toBe("present");
        else await bench.failsAs(["transient"], call, "verify");
      });
    },
  },
];

/** Runs a call with its first answer cut off, then its second, until a call ends before its cut. */
async function eachCut(bench: Bench, run: (cutAt: number) => Promise<void>): Promise<void> {
  for (let cutAt = 0; cutAt < CUTS; cutAt += 1) {
    bench.relay.disturb({ cutAt });
    await run(cutAt);
    if (!bench.relay.disturbed) return;
  }
}

async function cutListing(bench: Bench, listing: Listing): Promise<void> {
  const direct = bench.direct();
  const { items: expected } = await listAll((page) => listing.read(direct, page), 2);
  await eachCut(bench, async (cutAt) => {
    const calls = bench.calls();
    const walk = listAll((page) => listing.read(calls, page), 2);
    const seen = await walk.catch(() => undefined);
    if (!seen) await bench.failsAs(["transient"], walk, listing.name);
    else if (seen.complete)
      expect(seen.items.map(listing.key), `${listing.name}, cut at ${cutAt}`).toEqual(expected.map(listing.key));
  });
}

/** A failure other than `outcome_unknown` says that nothing has happened, so the oracle has to agree. */
async function cutWrite(bench: Bench, write: "grant" | "revoke"): Promise<void> {
  const [spec] = bench.access.wanted;
  await eachCut(bench, async () => {
    await bench.target.reset();
    if (write === "revoke") await bench.give(spec);
    const call = bench.calls()[write](spec);
    const result = await call.catch(() => undefined);
    if (result) return;
    const error = await bench.failsAs(["transient", "outcome_unknown"], call, write);
    if (error.errorClass === "outcome_unknown") return;
    const there = has(await bench.target.observe(), spec);
    expect(there, `${write} failed as one that has not happened, and had happened`).toBe(write === "revoke");
  });
}
