import { describe, expect, it } from "vitest";
import { nearName, nearNames } from "./near-name.js";

const KNOWN = ["name", "riskTier", "hasOwner", "hasSponsor", "environment", "ageDays"];

describe("a wrong name", () => {
  it.each([
    ["nam", "name"],
    ["nmae", "name"],
    ["NAME", "name"],
    ["riskteir", "riskTier"],
    ["risktyr", "riskTier"],
    ["enviroment", "environment"],
    ["owner", "hasOwner"],
    ["risk_tier", "riskTier"],
  ])("%s may have meant %s", (given, meant) => {
    expect(nearName(given, KNOWN)).toBe(meant);
  });

  it.each(["date", "x", "has", "costCentre", ""])("%s has meant none of them", (given) => {
    expect(nearName(given, KNOWN)).toBeUndefined();
  });

  it("may have meant several: all that hold it, then slips, the nearest first", () => {
    expect(nearNames("hasOwnsr", ["hasOwner", "hasOwns"], 2)).toEqual(["hasOwner", "hasOwns"]);
    expect(nearNames("policies.list", ["profiles.list", "accessPolicies.list", "governancePolicies.list"], 2)).toEqual([
      "accessPolicies.list",
      "governancePolicies.list",
    ]);
    expect(nearNames("policies.list", ["accessPolicies.list", "governancePolicies.list"], 1)).toHaveLength(1);
  });
});
