import { ConnectorError } from "@reeve/core/connectors";
import { expect } from "vitest";
import { listAll } from "../../calls.js";
import type { Bench } from "../bench.js";
import type { ConformanceCase } from "../case.js";
import { type Listing, listingsOf } from "../listings.js";
import { CONTRADICTIONS, LINK_SPELLINGS } from "../odd-pages.js";
import { type Answer, type AnswerChange, PageRelay } from "../page-relay.js";

/** Small, so that listings have several pages. */
const LIMIT = 2;

const applies: ConformanceCase["applies"] = ({ connector: { manifest } }) =>
  manifest.capabilities.some((name) => ["discover", "resources", "observe", "usage"].includes(name));

/** When a listing counts as whole. They apply to targets that speak HTTP, whose pages can be changed on the way. */
export const wholeCases: readonly ConformanceCase[] = [
  {
    name: "a listing is the same in every legal spelling of the links to its pages",
    applies,
    run: (bench) =>
      each(bench, LINK_SPELLINGS, ({ listing, keys, expected, complete, error }, what) => {
        expect(error, `${listing.name} with ${what}`).toBeUndefined();
        expect([keys, complete], `${listing.name} with ${what}`).toEqual([expected.keys, expected.complete]);
      }),
  },
  {
    name: "a listing whose pages contradict themselves is not called whole unless it shows everything",
    applies,
    run: (bench) =>
      each(bench, CONTRADICTIONS, ({ listing, keys, expected, complete, error }, what) => {
        if (error && !ConnectorError.is(error)) throw error;
        if (complete) expect(keys, `${listing.name} is called whole with ${what}`).toEqual(expected.keys);
      }),
  },
];

interface Read {
  readonly listing: Listing;
  readonly keys: readonly string[];
  /** What the listing shows unchanged. */
  readonly expected: { readonly keys: readonly string[]; readonly complete: boolean };
  readonly complete: boolean;
  readonly error: unknown;
}

async function each(
  bench: Bench,
  changes: Readonly<Record<string, AnswerChange>>,
  check: (read: Read, what: string) => void,
): Promise<void> {
  if (!speaksHttp(bench)) return;
  for (const listing of listingsOf(bench)) {
    const seen: (readonly [Answer, Answer])[] = [];
    const unchanged = await readThrough(bench, listing, (answer, first) => {
      seen.push([answer, first]);
      return answer;
    });
    if (unchanged.error) throw unchanged.error;
    for (const [what, change] of Object.entries(changes)) {
      // Each reading costs calls, of which some targets allow few.
      if (!seen.some(([answer, first]) => isChange(answer, change(answer, first)))) continue;
      check({ listing, expected: unchanged, ...(await readThrough(bench, listing, change)) }, what);
    }
  }
}

const isChange = (before: Answer, after: Answer) => JSON.stringify(before) !== JSON.stringify(after);

/** Reads a listing with its answers changed on the way. */
async function readThrough(bench: Bench, listing: Listing, change: AnswerChange) {
  const relay = await PageRelay.start(bench.target.address, change);
  const calls = bench.calls({ at: relay.address });
  try {
    const { items, complete } = await listAll((page) => listing.read(calls, page), LIMIT);
    return { keys: [...new Set(items.map(listing.key))].sort(), complete, error: undefined };
  } catch (error) {
    return { keys: [], complete: false, error };
  } finally {
    await relay.stop();
  }
}

/** Whether the connector is given the target's address as one of plain HTTP. */
function speaksHttp({ target }: Bench): boolean {
  const { host, port } = target.address;
  return JSON.stringify(target.config(target.address)).includes(`http://${host}:${port}`);
}
