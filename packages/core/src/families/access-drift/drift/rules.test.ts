import { describe, expect, it } from "vitest";
import { verdictOn } from "../scans/confirm/confirm.js";
import { concludes, coverageOf, kindsOf, phaseAfter } from "../scans/rules.js";
import { contradicts, differencesOf, kindOf, severityOf } from "./rules.js";

const desired = {
  ...{ permissions: ["read", "write"], parameters: { paths: ["a"] }, profileExternalId: "writer", privilegeLevel: 2 },
  ...{ expiresAt: "2026-01-05T09:00:00.000Z", principalType: "individual" },
};

describe("a difference", () => {
  it.each([
    ["nothing at all", {}],
    ["the same in another order", { permissions: ["write", "read", "read"] }],
    ["nothing beside the same", { parameters: { paths: ["a"], more: null, others: [], note: "" } }],
    ["the same profile", { profileExternalId: "writer" }],
  ])("pitfall 29: is none where the target tells %s", (_what, observed) => {
    expect(differencesOf(desired, observed)).toEqual([]);
  });

  it.each([
    ["over_privileged", { permissions: ["read", "write", "admin"] }],
    ["over_privileged", { permissions: ["admin"] }],
    ["under_privileged", { permissions: ["read"] }],
    ["over_privileged", { profileExternalId: "admin", privilegeLevel: 4 }],
    ["over_privileged", { profileExternalId: "unknown" }],
    ["under_privileged", { profileExternalId: "reader", privilegeLevel: 1 }],
    ["over_privileged", { parameters: { paths: ["a", "b"] } }],
    ["expiry_mismatch", { expiresAt: null }],
    ["principal_changed", { principalType: "group", permissions: ["admin"] }],
  ])("is %s: %j", (kind, observed) => {
    expect(kindOf(differencesOf(desired, observed), desired, observed)).toBe(kind);
  });

  it("is critical where it is administration that nobody granted, or nobody knows what it is", () => {
    expect([1, 4, null].map((level) => severityOf("unmanaged_in_target", level))).toEqual([
      ...["high", "critical", "critical"],
    ]);
  });
});

describe("a second look", () => {
  it.each([
    ["confirm", "missing_in_target", 1, { presence: "absent", authoritative: true }],
    ["dismiss", "missing_in_target", 1, { presence: "present", authoritative: true }],
    ["dismiss", "unmanaged_in_target", 3, { presence: "absent", authoritative: true }],
    ["confirm", "over_privileged", 1, { presence: "mismatch", authoritative: true }],
    ["wait", "missing_in_target", 1, { presence: "present", authoritative: false }],
    ["confirm", "missing_in_target", 2, { presence: "present", authoritative: false }],
    ["wait", "principal_changed", 1, undefined],
    ["confirm", "principal_changed", 2, undefined],
  ] as const)("comes to %s for %s seen %i times: %j", (verdict, kind, recurrence, answer) => {
    expect(verdictOn({ kind, recurrence }, answer)).toBe(verdict);
  });

  it("about what is no grant contradicts nothing", () => {
    expect(["present", "absent"].some((presence) => contradicts("definition_changed", presence))).toBe(false);
  });
});

describe("a scan", () => {
  it("says what it can find, and concludes no more than that", () => {
    expect([coverageOf(["observe", "verify"]), coverageOf(["verify"]), coverageOf(["test"])]).toEqual([
      ...["listing", "verify", "none"],
    ]);
    expect(kindsOf({ capabilities: ["verify"], expiry: "managed" })).not.toContain("unmanaged_in_target");
    expect(kindsOf({ capabilities: ["observe"], expiry: "managed" })).not.toContain("expiry_mismatch");
    const kinds = kindsOf({ capabilities: ["observe", "credentials"], expiry: "native" });
    const whole = { coverage: "listing", complete: true, credentialsComplete: true, kinds } as const;
    expect(concludes(whole)).toEqual(new Set(kinds));
    expect(concludes({ ...whole, complete: false }).has("missing_in_target")).toBe(false);
    for (const credentialsComplete of [false, null])
      expect(concludes({ ...whole, credentialsComplete }).has("unknown_credential")).toBe(false);
    expect([phaseAfter("grants", { ...whole, complete: false }), phaseAfter("grants", whole)]).toEqual([
      ...["confirming", "counting"],
    ]);
    const without = kindsOf({ capabilities: ["observe"] });
    expect([phaseAfter("records", whole), phaseAfter("records", { complete: true, kinds: without })]).toEqual([
      ...["credentials", "resolving"],
    ]);
  });
});
