import { describe, expect, it } from "vitest";
import { involvedInAccess } from "./reviewers/involved-in-access.js";
import {
  isOfRisk,
  isUnusedFor,
  needsConfirmation,
  notInBulk,
  notRevokedInBulk,
  outcomeOf,
  takesReason,
  type Weighed,
} from "./rules.js";

const votes = (text: string) =>
  text.split(" ").flatMap((decision) => (decision ? [{ decision: decision as "certify" }] : []));

describe("the decisions of a stage", () => {
  it("come to nothing while there are none, also where nobody may decide any more", () => {
    for (const strategy of ["one_accepts", "quorum", "all_accept", "one_denies"] as const)
      for (const panel of [0, 2])
        for (const isOver of [false, true])
          expect(outcomeOf([], { strategy, panel, isOver, quorum: 0 })).toBeUndefined();
  });

  it.each([
    ["one_accepts", "certify", 2, false, "certified"],
    ["one_accepts", "revoke", 2, false, undefined],
    ["one_accepts", "revoke", 2, true, undefined],
    ["one_accepts", "revoke certify", 2, false, "certified"],
    ["one_accepts", "revoke abstain", 2, false, "revoke"],
    ["one_accepts", "abstain", 1, false, "abstained"],
    ["one_denies", "revoke", 3, false, "revoke"],
    ["one_denies", "certify revoke", 3, false, "revoke"],
    ["one_denies", "certify", 2, false, undefined],
    ["one_denies", "certify", 2, true, "certified"],
    ["one_denies", "", 2, true, undefined],
    ["one_denies", "abstain abstain", 2, false, "abstained"],
    ["one_denies", "modify", 2, false, "modified"],
    ["one_denies", "modify revoke", 2, false, "revoke"],
    ["all_accept", "certify", 2, true, undefined],
    ["all_accept", "certify certify", 2, false, "certified"],
    ["all_accept", "certify abstain", 2, false, "abstained"],
    ["all_accept", "certify revoke", 3, false, "revoke"],
    ["quorum", "certify", 3, false, undefined],
    ["quorum", "certify certify", 3, false, "certified"],
    ["quorum", "certify revoke", 3, true, undefined],
    ["quorum", "certify revoke revoke", 3, false, "revoke"],
    ["quorum", "certify revoke", 2, false, "abstained"],
  ] as const)("by %s: %s of %i reviewers (over: %s) come to %s", (strategy, cast, panel, isOver, outcome) => {
    expect(outcomeOf(votes(cast), { strategy, panel, isOver })).toBe(outcome);
  });

  it("of a quorum that is larger than its panel take everybody", () => {
    const deciding = { strategy: "quorum", quorum: 5, panel: 2, isOver: false } as const;
    expect(outcomeOf(votes("certify"), deciding)).toBeUndefined();
    expect(outcomeOf(votes("certify certify"), deciding)).toBe("certified");
  });
});

describe("revocations", () => {
  it.each([
    [false, { items: 100, revokes: 0, silent: 0, recent: 90 }],
    [true, { items: 1_000, revokes: 1, silent: 1, recent: 0 }],
    [false, { items: 100, revokes: 25, silent: 0, recent: 0 }],
    [true, { items: 100, revokes: 26, silent: 0, recent: 0 }],
    [true, { items: 100, revokes: 20, silent: 0, recent: 50 }],
    [false, { items: 1, revokes: 1, silent: 0, recent: 0 }],
  ])("wait for a confirmation (%s): %j", (waits, counts) => {
    expect(needsConfirmation(counts, 25)).toBe(waits);
  });
});

describe("certified together", () => {
  const observedAt = "2026-01-05T09:00:00.000Z";
  const calm = {
    ...({ riskLevel: "low", usageState: "used", conflicts: [] as string[], openDrift: 0 } as const),
    ...({ targetState: "present", observedAt } as const),
  };
  const at = { nowMs: Date.parse(observedAt), maxDataAge: "P1D" };
  it.each([
    [[], {}, "pending", at],
    [["stale"], {}, "stale", at],
    [["critical"], { riskLevel: "critical" }, "pending", at],
    [["never_used"], { usageState: "unused" }, "pending", at],
    [[], { usageState: "unknown" }, "pending", at],
    [["conflicted"], { conflicts: ["with another"] }, "pending", at],
    [["drifted"], { openDrift: 1 }, "pending", at],
    [["drifted"], { targetState: "absent" }, "pending", at],
    [["drifted"], { targetState: "mismatch" }, "pending", at],
    [["not_seen"], { targetState: "unknown" }, "pending", at],
    [[], { conflicts: null, openDrift: null }, "pending", at],
    [["old_data"], { observedAt: null }, "pending", at],
    [["old_data"], {}, "pending", { ...at, nowMs: at.nowMs + 86_400_001 }],
  ] as const)("is refused for %j: %j", (because, more, status, when) => {
    const other = { ...calm, ...more } as Weighed;
    expect(notInBulk({ status, snapshot: other }, calm, when)).toEqual(because);
    expect(notInBulk({ status, snapshot: other }, undefined, when)).toEqual(because);
    // What has become of it since it was looked at counts as well.
    expect(notInBulk({ status, snapshot: calm }, other, when)).toEqual(because);
  });

  it("is not revoked together with others where it is used, or has changed", () => {
    const [used, unused] = (["used", "unused"] as const).map((usageState) => ({ ...calm, usageState }));
    const of = (snapshot: Weighed, present?: Weighed) => notRevokedInBulk({ status: "pending", snapshot }, present);
    expect([of(unused as Weighed), of(unused as Weighed, used), of(used as Weighed, unused)]).toEqual([
      [],
      ["in_use"],
      ["in_use"],
    ]);
    expect(notRevokedInBulk({ status: "stale", snapshot: unused as Weighed }, undefined)).toEqual(["stale"]);
  });

  it("takes a reason unless access of low risk is certified", () => {
    expect(takesReason("certify", { riskLevel: "low" } as never)).toBe(false);
    expect(takesReason("certify", { riskLevel: "medium" } as never)).toBe(true);
    expect(takesReason("abstain", { riskLevel: "low" } as never)).toBe(true);
    expect([isOfRisk("high", "medium"), isOfRisk("low", "medium")]).toEqual([true, false]);
  });
});

describe("access that has not been used", () => {
  const nowMs = Date.parse("2026-06-01T00:00:00.000Z");
  const [long, lately] = ["2026-03-01T00:00:00.000Z", "2026-05-20T00:00:00.000Z"];
  it.each([
    ["unused", null, long, true],
    ["unused", null, lately, false],
    ["used", long, long, true],
    ["used", lately, long, false],
    ["unknown", null, long, false],
    ["unknown", long, long, false],
  ] as const)(
    "pitfall 22: that is %s, last used %s and active since %s: %s",
    (usageState, lastUsedAt, activatedAt, is) => {
      expect(isUnusedFor({ lastUsedAt, activatedAt }, { usageState }, 30, nowMs)).toBe(is);
    },
  );
});

describe("who may not review access", () => {
  const user = { principal: { type: "user", externalId: "ada", displayName: null }, createdBy: "usr_1" } as const;
  const service = { ...user, principal: { ...user.principal, type: "service_account" } } as const;
  it.each([
    [["ada", "usr_1"], user, {}],
    [["usr_1"], service, {}],
    [[], { ...service, createdBy: "system" }, {}],
    [["asker"], service, { requestedBy: ["asker"], approvedBy: [["one", "two"]] }],
    [["asker", "one"], service, { requestedBy: ["asker"], approvedBy: [["one", "two"], ["one"]] }],
  ])("is %j", (involved, access, facts) => {
    expect(involvedInAccess(access, facts)).toEqual(involved);
  });
});
