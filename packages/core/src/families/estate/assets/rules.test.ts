import { describe, expect, it } from "vitest";
import { NO_POSTURE } from "./asset-posture.js";
import { ASSET_DEFAULTS } from "./fields.js";
import { expiryOf, isApproved, lapses } from "./machine.js";
import { assessRisk, changedFields, effectiveDecision } from "./rules.js";
import type { Asset } from "./schema.js";

const NOW = "2026-03-01T00:00:00.000Z";
const asset = (more: Partial<Asset> = {}): Asset => ({
  id: "ast_1",
  name: "an asset",
  status: "registered",
  version: 1,
  metadata: {},
  createdAt: NOW,
  createdBy: "usr_1",
  updatedAt: NOW,
  updatedBy: "usr_1",
  governanceState: "unreviewed",
  ...ASSET_DEFAULTS,
  riskScore: 0,
  riskFactors: [],
  approvedUntil: null,
  reviewUntil: null,
  conditions: [],
  decision: null,
  priorGovernanceState: null,
  requestedBy: null,
  classified: null,
  involved: { ids: [], beyond: 0 },
  relatedParty: false,
  changedInReview: false,
  ...NO_POSTURE,
  baselineAt: null,
  record: null,
  editVersion: 1,
  configuration: {},
  attributes: {},
  ...more,
});
const someone = { type: "user", id: "usr_2" } as const;

describe("assessRisk", () => {
  it("adds the points of its factors and names them", () => {
    const { riskScore, riskFactors } = assessRisk(asset());
    expect(riskScore).toBe(10 + 5 + 4 + 8 + 4);
    expect(riskFactors.reduce((sum, { points }) => sum + points, 0)).toBe(riskScore);
    expect(riskFactors.map(({ key }) => key)).toEqual([
      "riskTier:unclassified",
      "dataClassification:unknown",
      "environment:unknown",
      "owner:missing",
      "sponsor:missing",
    ]);
  });

  it("goes from 0 to 100", () => {
    const least = { riskTier: "minimal", dataClassification: "public", environment: "development" } as const;
    expect(assessRisk(asset({ ...least, owner: someone, sponsor: someone }))).toEqual({
      riskScore: 0,
      riskFactors: [],
    });
    const most = {
      riskTier: "prohibited",
      dataClassification: "restricted",
      autonomy: "autonomous",
      environment: "production",
    } as const;
    expect(assessRisk(asset({ ...most, status: "discovered" })).riskScore).toBe(100);
  });
});

describe("changedFields", () => {
  const approved = asset({ governanceState: "approved" });
  it("names the watched fields that differ, of approved assets only", () => {
    const after = { ...approved, environment: "production", autonomy: "autonomous", description: "x" } as const;
    expect(changedFields(approved, after, ["environment", "autonomy", "provider"])).toEqual([
      "environment",
      "autonomy",
    ]);
    expect(changedFields(approved, approved, ["environment"])).toEqual([]);
    expect(changedFields(asset(), after, ["environment"])).toEqual(["environment"]);
  });
});

describe("the end of an approval", () => {
  it("counts for approved states only", () => {
    expect([isApproved("approved"), isApproved("conditionally_approved"), isApproved("expired")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(expiryOf({ governanceState: "approved", approvedUntil: NOW, reviewUntil: null })).toBe(NOW);
    expect(expiryOf({ governanceState: "suspended", approvedUntil: NOW, reviewUntil: NOW })).toBeNull();
  });

  it("comes with the review that keeps it, where that ends first", () => {
    const later = "2026-03-02T00:00:00.000Z";
    const standing = { governanceState: "approved", approvedUntil: later, reviewUntil: NOW };
    expect([expiryOf(standing), lapses(standing)]).toEqual([NOW, true]);
    expect([expiryOf({ ...standing, approvedUntil: null }), lapses({ ...standing, approvedUntil: null })]).toEqual([
      NOW,
      true,
    ]);
    expect(lapses({ ...standing, reviewUntil: later })).toBe(false);
  });
});

describe("effectiveDecision", () => {
  const condition = { key: "log", text: "Log everything.", dueAt: null, metAt: null, metBy: null, evidence: null };
  it.each<[string, Partial<Asset>, string | undefined, string, string[]]>([
    ["a kill switch before all else", { governanceState: "approved" }, "ai.all", "deny", ["kill_switch:ai.all"]],
    ["suspended", { governanceState: "suspended" }, undefined, "deny", ["governance_state:suspended"]],
    ["rejected", { governanceState: "rejected", status: "retired" }, undefined, "deny", ["governance_state:rejected"]],
    ["retired", { governanceState: "approved", status: "retired" }, undefined, "deny", ["lifecycle:retired"]],
    [
      "within grace",
      { governanceState: "expired", approvedUntil: "2026-02-15T00:00:00.001Z" },
      undefined,
      "warn",
      ["approval:expired_within_grace"],
    ],
    [
      "after grace",
      { governanceState: "expired", approvedUntil: "2026-02-15T00:00:00.000Z" },
      undefined,
      "deny",
      ["approval:expired"],
    ],
    [
      "production unreviewed",
      { environment: "production" },
      undefined,
      "deny",
      ["production_without_approval:unreviewed"],
    ],
    ["test unreviewed", { environment: "test" }, undefined, "allow", []],
    ["production approved", { environment: "production", governanceState: "approved" }, undefined, "allow", []],
    ["deprecated", { governanceState: "approved", status: "deprecated" }, undefined, "warn", ["lifecycle:deprecated"]],
    [
      "a condition unmet",
      { governanceState: "conditionally_approved", conditions: [condition] },
      undefined,
      "warn",
      ["condition_unmet:log"],
    ],
    [
      "a condition overdue, within grace",
      { governanceState: "conditionally_approved", conditions: [{ ...condition, dueAt: "2026-02-15T00:00:00.001Z" }] },
      undefined,
      "warn",
      ["condition_overdue:log"],
    ],
    [
      "a condition overdue, after grace",
      { governanceState: "conditionally_approved", conditions: [{ ...condition, dueAt: "2026-02-15T00:00:00.000Z" }] },
      undefined,
      "deny",
      ["condition_overdue:log"],
    ],
    [
      "a condition met",
      { governanceState: "conditionally_approved", conditions: [{ ...condition, metAt: NOW }] },
      undefined,
      "allow",
      [],
    ],
    [
      "all warnings together",
      { status: "deprecated", conditions: [condition] },
      undefined,
      "warn",
      ["lifecycle:deprecated", "condition_unmet:log"],
    ],
  ])("%s", (_name, more, engaged, decision, reasons) => {
    expect(effectiveDecision(asset(more), engaged, NOW)).toEqual({ decision, reasons, asOf: NOW });
  });
});
