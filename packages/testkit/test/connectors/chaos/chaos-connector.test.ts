import type { Connector } from "@reeve/core/connectors";
import { ScriptedAccess } from "@reeve/testkit";
import { ChaosConnector, connectorParts, type Injection, listAll, scriptedTarget } from "@reeve/testkit/connectors";
import { describe, expect, it } from "vitest";
import { SPECS } from "./run.js";

const [ADA, GRACE, JOAN] = SPECS as [(typeof SPECS)[number], (typeof SPECS)[number], (typeof SPECS)[number]];

function chaosOf(...schedule: Injection[]) {
  const target = scriptedTarget();
  const chaos = new ChaosConnector(target.connector, schedule);
  return { target, chaos, calls: chaos.calls(connectorParts(chaos.connector)) };
}

const grantOf = { method: "grant", subject: "ada", attempt: 1 } as const;
const firstPage = { method: "listGrants", subject: "", attempt: 1 } as const;
const secondPage = { ...firstPage, attempt: 2 } as const;

describe("a chaos connector", () => {
  it("fails before the target is called", async () => {
    const { target, chaos, calls } = chaosOf({ ...grantOf, phase: "before", kind: "error", errorClass: "transient" });
    await expect(calls.grant(ADA)).rejects.toMatchObject({ errorClass: "transient" });
    expect(target.effects).toEqual([]);
    chaos.finish();
    expect(await calls.grant(ADA)).toEqual({ outcome: "applied" });
  });

  it.each([
    { ...grantOf, phase: "after", kind: "error", errorClass: "outcome_unknown" },
    { ...grantOf, phase: "after", kind: "hang" },
  ] as const)("loses an answer: $kind", async (injection) => {
    const { target, calls } = chaosOf(injection);
    await expect(calls.grant(ADA)).rejects.toMatchObject({ errorClass: "outcome_unknown" });
    expect(target.present).toEqual(new Map([["ada", 1]]));
  });

  it("hangs before the target is called", async () => {
    const { target, calls } = chaosOf({ ...grantOf, phase: "before", kind: "hang" });
    await expect(calls.grant(ADA)).rejects.toMatchObject({ errorClass: "outcome_unknown" });
    expect(target.effects).toEqual([]);
  });

  it("is read-only from a call on", async () => {
    const { target, calls } = chaosOf({ ...grantOf, phase: "before", kind: "read_only" });
    await calls.grant(GRACE);
    for (const refused of [calls.grant(ADA), calls.grant(JOAN), calls.revoke(GRACE)])
      await expect(refused).rejects.toMatchObject({ errorClass: "permission" });
    expect(target.present).toEqual(new Map([["grace", 1]]));
  });

  it("says that it has revoked, and has not", async () => {
    const { target, calls } = chaosOf({ ...grantOf, method: "revoke", phase: "response", kind: "partial_revoke" });
    await calls.grant(ADA);
    expect(await calls.revoke(ADA)).toEqual({ outcome: "applied" });
    expect(target.present).toEqual(new Map([["ada", 1]]));
  });

  it("says something else than it did", async () => {
    const { target, calls } = chaosOf({ ...grantOf, phase: "response", kind: "drift" });
    expect(await calls.grant(ADA)).toEqual({ outcome: "already_applied" });
    expect(target.present).toEqual(new Map([["ada", 1]]));
  });

  async function listing(injection: Injection) {
    const { calls } = chaosOf(injection);
    for (const spec of [ADA, GRACE, JOAN]) await calls.grant(spec);
    return listAll((page) => calls.listGrants({}, page), 2);
  }
  const ids = ({ items }: Awaited<ReturnType<typeof listing>>) => items.map(({ externalGrantId }) => externalGrantId);

  it("gives a page twice", async () => {
    const listed = await listing({ ...secondPage, phase: "response", kind: "duplicate_page" });
    expect(ids(listed)).toEqual(["ada", "grace", "ada", "grace", "joan"]);
  });

  it("leaves a page out, and is not complete", async () => {
    const last = await listing({ ...secondPage, phase: "response", kind: "missing_page" });
    expect([ids(last), last.complete]).toEqual([["ada", "grace"], false]);
  });

  it.each([firstPage, secondPage])("leads in a circle from page $attempt", async (page) => {
    await expect(listing({ ...page, phase: "response", kind: "cycle" })).rejects.toMatchObject({
      code: "pagination_loop",
    });
  });

  it("is void where a required fault has not fired, and not for others", async () => {
    const never = { ...grantOf, attempt: 2, phase: "before", kind: "hang" } as const;
    expect(() => chaosOf(never).chaos.finish()).toThrow("grant of ada, call 2, before");
    expect(() => chaosOf({ ...never, required: false }).chaos.finish()).not.toThrow();
  });

  it("reaches every method that a connector may have", async () => {
    const inner = new ScriptedAccess({ granularity: "profile" }).connector;
    const error = { attempt: 1, phase: "before", kind: "error", errorClass: "transient" } as const;
    const more: Partial<Connector> = {
      pollOperation: async () => ({ outcome: "applied" }),
      endSessions: async () => ({ ended: 0 }),
    };
    const chaos = new ChaosConnector({ ...inner, ...more }, [
      { ...error, method: "testConnection", subject: "" },
      { ...error, method: "listAccessProfiles", subject: "repository" },
      { ...error, method: "listUsage", subject: "" },
      { ...error, method: "executeTool", subject: "read_note" },
      { ...error, method: "pollOperation", subject: "ticket-1" },
      { ...error, method: "endSessions", subject: "ada" },
    ]);
    const on = chaos.connector;
    const page = { limit: 10 };
    const tool = { tool: "read_note", args: {}, principal: ADA.principal, grants: [], dryRun: true };
    const ctx = { signal: new AbortController().signal } as never;
    for (const failing of [
      on.testConnection(ctx),
      on.listAccessProfiles?.(ctx, { resourceType: "repository" }, page),
      on.listUsage?.(ctx, { since: new Date(0), until: new Date(1) }, page),
      on.executeTool?.(ctx, tool),
      on.pollOperation?.(ctx, "ticket-1"),
      on.endSessions?.(ctx, ADA.principal),
    ])
      await expect(failing).rejects.toMatchObject({ errorClass: "transient" });
    chaos.finish();
  });

  it.each<[string, Injection[]]>([
    ["verify cannot have cycle", [{ ...grantOf, method: "verify", phase: "response", kind: "cycle" }]],
    [
      "two faults",
      [
        { ...grantOf, phase: "before", kind: "hang" },
        { ...grantOf, phase: "before", kind: "read_only" },
      ],
    ],
  ])("refuses a schedule with a mistake: %s", (message, schedule) => {
    expect(() => chaosOf(...schedule)).toThrow(message);
  });
});
