import { describe, expect, it } from "vitest";
import { switchOfAsset, switchOfTenant, switchReason, switchTarget } from "./rules.js";

describe("keys of kill switches", () => {
  it.each([
    [switchOfTenant("t1"), { kind: "tenant", id: "t1" }, "kill_switch:ai.tenant"],
    [switchOfAsset("a.1"), { kind: "asset", id: "a.1" }, "kill_switch:ai.asset.a.1"],
    ["ai.all", undefined, "kill_switch:ai.all"],
  ])("are read and shown: %s", (key, target, reason) => {
    if (target) expect(switchTarget(key)).toMatchObject(target);
    else expect(switchTarget(key)).toBeUndefined();
    expect(switchReason(key)).toBe(reason);
  });
});
