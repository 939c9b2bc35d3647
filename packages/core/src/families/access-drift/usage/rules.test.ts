import { describe, expect, it } from "vitest";
import { blanksOf, type Coverage, mayBeUseOf, readableUse, usageStateOf, windowStart, withGap } from "./rules.js";

const NOW = Date.parse("2026-06-01T00:00:00.000Z");
const ago = (days: number) => windowStart(NOW, days);
const WHOLE: Coverage = { granularity: "profile", from: ago(60), through: ago(0), gaps: [], lagSeconds: 0 };
const IDLE = { activatedAt: ago(50), lastUsedAt: null };
const stateOf = (one: typeof IDLE | { activatedAt: string | null; lastUsedAt: string | null }, coverage = WHOLE) =>
  usageStateOf(one, coverage, { nowMs: NOW, days: 30 });

describe("pitfall 22: access is unused only where its use would have been seen", () => {
  it("is unused with a whole window, and used with a use in it", () => {
    expect(stateOf(IDLE).usageState).toBe("unused");
    expect(stateOf({ ...IDLE, lastUsedAt: ago(40) }).usageState).toBe("unused");
    expect(stateOf({ ...IDLE, lastUsedAt: ago(30) }).usageState).toBe("used");
  });

  it.each([
    ["no_usage_data", { granularity: "none" }],
    ["not_read_yet", { from: null, through: null }],
    ["window_not_covered", { from: ago(29) }],
    ["behind", { through: ago(1) }],
    ["gap", { gaps: [{ from: ago(31), to: ago(29), reason: "lost" }] }],
  ] as const)("is unknown by %s", (reason, more) => {
    expect(stateOf(IDLE, { ...WHOLE, ...more })).toEqual({ usageState: "unknown", unknownBecause: [reason] });
    expect(stateOf({ ...IDLE, lastUsedAt: ago(1) }, { ...WHOLE, ...more }).usageState).toBe("used");
  });

  it.each([
    ["too_young", ago(29)],
    ["not_activated", null],
  ] as const)("is unknown by %s", (reason, activatedAt) => {
    expect(stateOf({ activatedAt, lastUsedAt: null }).unknownBecause).toEqual([reason]);
  });

  it("does not mind gaps before the window, and the lag of the target", () => {
    const gaps = [{ from: ago(50), to: ago(30), reason: "lost" }] as const;
    expect(blanksOf({ ...WHOLE, gaps }, { nowMs: NOW, days: 30 })).toEqual([]);
    expect(blanksOf({ ...WHOLE, through: ago(1), lagSeconds: 86_400 }, { nowMs: NOW, days: 30 })).toEqual([]);
  });
});

describe("gaps", () => {
  it("become one at the old end, and none is lost", () => {
    let gaps: ReturnType<typeof withGap> = [];
    for (let day = 200; day > 100; day -= 1)
      gaps = withGap(gaps, { from: ago(day), to: ago(day - 0.5), reason: "lost" }, NOW);
    expect(gaps).toHaveLength(50);
    expect(gaps[0]?.from).toBe(ago(200));
    expect(gaps.at(-1)?.to).toBe(ago(100.5));
  });
});

describe("a use", () => {
  const one = {
    activatedAt: ago(10),
    resource: { type: "repository", externalId: "r" },
    profileExternalId: "read",
  };
  const use = { at: ago(5), resource: one.resource, profileExternalId: "read" };

  it("may be of what fits what is told of it", () => {
    expect(mayBeUseOf(use, one)).toBe(true);
    expect(mayBeUseOf({ ...use, profileExternalId: "write" }, one)).toBe(false);
    expect(mayBeUseOf({ ...use, resource: { type: "repository", externalId: "q" } }, one)).toBe(false);
    expect(mayBeUseOf({ at: use.at }, one)).toBe(true);
  });

  it("is of no access that came later, with a little room for clocks", () => {
    expect(mayBeUseOf({ ...use, at: ago(10.001) }, one)).toBe(true);
    expect(mayBeUseOf({ ...use, at: ago(11) }, one)).toBe(false);
    expect(mayBeUseOf(use, { ...one, activatedAt: null })).toBe(false);
  });

  it("tells no more than the target can tell apart", () => {
    const reported = { ...use, profileExternalId: "write", resource: { type: "repository", externalId: "q" } };
    expect(mayBeUseOf(readableUse(reported, "identity"), one)).toBe(true);
    expect(mayBeUseOf(readableUse(reported, "resource"), one)).toBe(false);
    expect(mayBeUseOf(readableUse({ ...use, profileExternalId: "write" }, "resource"), one)).toBe(true);
  });
});
