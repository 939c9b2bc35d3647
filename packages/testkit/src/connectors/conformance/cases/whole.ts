import { ConnectorError } from "@reeve/core/connectors";
import { expect } from "vitest";
import { listAll } from "../../calls.js";
import type { Bench } from "../bench.js";
import type { ConformanceCase } from "../case.js";
import { type Listing, listingsOf } from "../listings.js";
import { CONTRADICTIONS, LINK_SPELLINGS } from "../odd-pages.js";
import { oddForms, recordIn, type SeenRecord } from "../odd-records.js";
import { type Answer, type AnswerChange, PageRelay } from "../page-relay.js";
import { shapeMistakes } from "../shapes.js";

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
  {
    name: "one odd record sinks no other, and a listing that had to leave one out is not called whole",
    applies,
    async run(bench) {
      if (!speaksHttp(bench)) return "the target does not speak HTTP";
      for (const listing of listingsOf(bench)) await withOddRecords(bench, listing);
      return undefined;
    },
  },
];

/** Paths whose records are made odd, one after another. */
const PATHS = 3;
/** Answers that may be asked for to try the forms of one record, since some targets allow few. */
const ANSWERS = 120;

async function withOddRecords(bench: Bench, listing: Listing): Promise<void> {
  const seen = new Map<string, SeenRecord>();
  let answers = 0;
  const before = await readThrough(bench, listing, (answer, _first, path) => {
    answers += 1;
    const record = seen.has(path) ? undefined : recordIn(path, answer.body);
    if (record) seen.set(path, record);
    return answer;
  });
  if (before.error) throw before.error;
  for (const one of [...seen.values()].slice(0, PATHS))
    for (const [what, change] of Object.entries(oddForms(one)).slice(0, Math.ceil(ANSWERS / answers))) {
      const { keys, items, complete, error } = await readThrough(bench, listing, change);
      const where = `${listing.name} with ${what} in ${one.path}`;
      if (error) throw new Error(`${where} is not read at all`, { cause: error });
      const lost = before.items.filter((item) => !keys.includes(listing.key(item)));
      expect(ofOne(lost), `${where} loses other records: ${lost.map(listing.key).join(", ")}`).toBe(true);
      if (complete) expect(lost, `${where} is called whole`).toEqual([]);
      expect(
        items.flatMap((item) => shapeMistakes(bench.connector, listing.name, item)),
        where,
      ).toEqual([]);
    }
}

/** Whether items are one, or access of one principal or to one resource. */
function ofOne(items: readonly unknown[]): boolean {
  const distinct = (name: "principal" | "resource") =>
    new Set(items.map((item) => (item as Record<string, { externalId?: string }>)[name]?.externalId ?? item)).size;
  return items.length < 2 || distinct("principal") === 1 || distinct("resource") === 1;
}

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
    const seen: (readonly [Answer, Answer, string])[] = [];
    const unchanged = await readThrough(bench, listing, (answer, first, path) => {
      seen.push([answer, first, path]);
      return answer;
    });
    if (unchanged.error) throw unchanged.error;
    for (const [what, change] of Object.entries(changes)) {
      // Each reading costs calls, of which some targets allow few.
      if (!seen.some(([answer, first, path]) => isChange(answer, change(answer, first, path)))) continue;
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
    return { items, keys: [...new Set(items.map(listing.key))].sort(), complete, error: undefined };
  } catch (error) {
    return { items: [], keys: [] as readonly string[], complete: false, error };
  } finally {
    await relay.stop();
  }
}

/** Whether the connector is given the target's address as one of plain HTTP. */
function speaksHttp({ target }: Bench): boolean {
  const { host, port } = target.address;
  return JSON.stringify(target.config(target.address)).includes(`http://${host}:${port}`);
}
