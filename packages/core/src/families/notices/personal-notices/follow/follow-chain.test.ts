import { describe, expect, it } from "vitest";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { followChain } from "./follow-chain.js";
import { Room } from "./room.js";

/** A tenant with events about findings of a severity. Whoever looks at what to tell of them fails. */
function tenantOf({ count = 1, type = "finding.opened", severity = "high", erased = false }) {
  const attributes = JSON.stringify({ subject: "fnd_1", subjecttype: "finding", type: `reeve.${type}.v1` });
  const data = erased ? null : JSON.stringify({ after: { effectiveSeverity: severity } });
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

it("passes over the new findings of an evaluation, and notes once how far it is", async () => {
  const { noted, follow } = tenantOf({ count: 620 });
  await follow();
  expect(noted).toEqual([620]);
});

it("notes now and then how far it is where there is very much", async () => {
  const { noted, follow } = tenantOf({ count: 2_300 });
  await follow();
  expect(noted).toEqual([1_000, 2_000, 2_300]);
});

describe.each([
  ["a new finding that is critical", { severity: "critical" }],
  ["a new finding of which nothing is left in the event", { erased: true }],
  ["a finding that was there", { type: "finding.updated" }],
])("%s", (_what, event) => {
  it("is looked at", async () => {
    await expect(tenantOf(event).follow()).rejects.toThrow("looked");
  });
});
