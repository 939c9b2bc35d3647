import { describe, expect, it } from "vitest";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { followChain } from "./follow-chain.js";
import { Room } from "./room.js";

interface Given {
  readonly count?: number;
  readonly type?: string;
  readonly after?: object;
  readonly erased?: boolean;
}

/** A tenant with events about one record. Whoever looks at what to tell of it fails. */
function tenantOf({
  count = 1,
  type = "finding.opened",
  after = { effectiveSeverity: "high" },
  erased = false,
}: Given) {
  const attributes = JSON.stringify({ subject: "rec_1", subjecttype: "record", type: `reeve.${type}.v1` });
  const data = erased ? null : JSON.stringify({ after });
  const noted: number[] = [];
  const db = {
    tenantId: "tnt_1",
    get: async () => ({ value: { position: 0, endingsBefore: "", escalatedBefore: "" } }),
    getMany: async () => [],
    scanEvents: async ({ after, size }: { after: number; size: number }) =>
      Array.from({ length: Math.min(size, count - after) }, (_, at) => ({
        sequence: after + at + 1,
        attributes,
        data,
      })),
    findTopPerKey: async () => new Map(),
    find: () => Promise.reject(new Error("looked")),
  };
  const update = async (_collection: object, _held: object, { position }: { position: number }) => {
    noted.push(position);
  };
  const ctx = {
    ...{ db, env: { options: { eventTypePrefix: "reeve" } } },
    write: (work: (inner: object) => Promise<void>) => work({ db, update }),
  };
  return { noted, follow: () => followChain(() => ctx as unknown as OutsideContext, new Room(() => true)) };
}

it.each([
  ["findings of an evaluation", {}],
  ["assets of an import", { type: "asset.created", after: { status: "registered" } }],
])("passes over the new %s, and notes once how far it is", async (_what, events) => {
  const { noted, follow } = tenantOf({ count: 620, ...events });
  await follow();
  expect(noted).toEqual([620]);
});

it("notes now and then how far it is where there is very much", async () => {
  const { noted, follow } = tenantOf({ count: 2_300 });
  await follow();
  expect(noted).toEqual([1_000, 2_000, 2_300]);
});

describe.each([
  ["a new finding that is critical", { after: { effectiveSeverity: "critical" } }],
  ["a new finding of which nothing is left in the event", { erased: true }],
  ["a finding that was there", { type: "finding.updated" }],
  ["a new asset that was discovered", { type: "asset.created", after: { status: "discovered" } }],
  ["a new asset of which nothing is left in the event", { type: "asset.created", erased: true }],
  ["an asset that was there", { type: "asset.updated" }],
])("%s", (_what, event) => {
  it("is looked at", async () => {
    await expect(tenantOf(event).follow()).rejects.toThrow("looked");
  });
});
