import { describe, expect, it } from "vitest";
import { expiryFrom, isBounded } from "./assignment-time.js";
import { narrowsParameters, permitsNoMore } from "./narrow-assignment.js";
import { endsAt, isEffective } from "./rules.js";

const NOW = "2026-01-05T09:00:00.000Z";
const LATER = "2026-01-05T10:00:00.000Z";
const EARLIER = "2026-01-05T08:00:00.000Z";
const AT = { now: NOW, assetDenied: undefined, profile: { status: "approved" } };
const ACTIVE = { status: "active", notBefore: EARLIER, isPermanent: false, expiresAt: LATER } as const;

describe("pitfall 14: an end that is missing is never taken for permanence", () => {
  const ends = [null, EARLIER, NOW, LATER];
  const pairs = [true, false].flatMap((isPermanent) => ends.map((expiresAt) => ({ isPermanent, expiresAt })));
  it.each(pairs)("%j", ({ isPermanent, expiresAt }) => {
    const lasts = isPermanent || expiresAt === LATER;
    expect(isEffective({ ...ACTIVE, isPermanent, expiresAt }, AT)).toBe(lasts);
    const due = endsAt({ ...ACTIVE, isPermanent, expiresAt, duration: null });
    expect(due !== null && due <= NOW).toBe(!lasts);
    const bounded = isPermanent ? expiresAt === null : expiresAt !== null;
    expect(isBounded({ isPermanent, expiresAt, duration: null })).toBe(bounded);
    const expiry = expiryFrom({ isPermanent, expiresAt, duration: null }, Date.parse(NOW));
    expect(expiry).toBe(isPermanent ? null : (expiresAt ?? NOW));
  });
});

describe("an assignment is in force", () => {
  it.each([
    [true, ACTIVE, AT],
    [false, { ...ACTIVE, status: "pending" }, AT],
    [false, { ...ACTIVE, status: "revoking" }, AT],
    [false, { ...ACTIVE, status: "revoke_failed" }, AT],
    [false, { ...ACTIVE, notBefore: LATER }, AT],
    [false, ACTIVE, { ...AT, assetDenied: "lifecycle:suspended" }],
    [false, ACTIVE, { ...AT, profile: { status: "disabled" } }],
    [false, ACTIVE, { ...AT, profile: undefined }],
    [true, ACTIVE, { ...AT, profile: { status: "removed" } }],
  ] as const)("%s: %j in %j", (effective, one, circumstances) => {
    expect(isEffective(one, circumstances)).toBe(effective);
  });
});

describe("what narrows access", () => {
  it.each([
    [true, { a: ["x"] }, { a: ["x", "y"] }],
    [true, { a: ["x"], b: 1 }, { b: 1, a: ["x"] }],
    [false, { a: ["z"] }, { a: ["x", "y"] }],
    [false, { a: [] }, { a: ["x"] }],
    [false, {}, { a: ["x"] }],
    [false, { a: ["x"], b: 2 }, { a: ["x"] }],
    [false, { a: "x*" }, { a: "x" }],
  ])("is %s for parameters %j after %j", (narrows, after, before) => {
    expect(narrowsParameters(after, before)).toBe(narrows);
  });

  it.each([
    [true, ["read"], 1, "low"],
    [false, ["read", "delete"], 1, "medium"],
    [false, ["read"], 3, "medium"],
    [false, ["read"], 1, "high"],
  ] as const)("is %s for permissions %j at level %j and risk %s", (narrows, permissions, privilegeLevel, riskLevel) => {
    const before = { permissions: ["read", "write"], toolNames: ["t"], privilegeLevel: 2 };
    const after = { permissions: [...permissions], toolNames: [], privilegeLevel, riskLevel };
    expect(permitsNoMore(after, { ...before, riskLevel: "medium" })).toBe(narrows);
  });
});
