import { describe, expect, it } from "vitest";
import { nearName } from "./near-name.js";

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
  ])("%s may have meant %s", (given, meant) => {
    expect(nearName(given, KNOWN)).toBe(meant);
  });

  it.each(["date", "x", "has", "costCentre", ""])("%s has meant none of them", (given) => {
    expect(nearName(given, KNOWN)).toBeUndefined();
  });
});
