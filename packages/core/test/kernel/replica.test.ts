import { table } from "@reeve/testkit";
import { expect, it } from "vitest";
import { mayReadReplica, type Operation } from "#kernel/operation/operation.js";

const read = (table as readonly Operation[]).filter(mayReadReplica);

it("only reads without preparation may come from a replica: lists, and the export of events", () => {
  expect(read.length).toBeGreaterThan(40);
  for (const { id, method, access, prepare } of read) {
    expect([id, method, prepare]).toEqual([id, "GET", undefined]);
    expect(access, id).not.toBe("public");
  }
  expect(read.filter(({ success }) => success.media !== undefined).map(({ id }) => id)).toEqual([
    "aiGovernance.exportEvents",
    "aiGovernance.exportSlice",
  ]);
});

it("what was stopped, and what agents wait for, is read as it is now", () => {
  const ids = read.map(({ id }) => id);
  for (const id of ["aiHalts.list", "aiApprovals.list"]) expect(ids).not.toContain(id);
});
