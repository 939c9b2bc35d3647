import { describe, expect, it } from "vitest";
import { type Blocker, fitOf, type Item, meaningOf, mostFinal, requireNone, standingOf } from "./rules.js";

const profile = {
  ...{ id: "apr_1", name: "write", status: "approved", definitionHash: "h1", connectorInstanceId: "ci_1" },
  ...{ resourceType: "repository", resourceId: null, grantableTo: ["user"] },
};
const resource = {
  id: "ars_1",
  name: "claims",
  status: "active",
  connectorInstanceId: "ci_1",
  resourceType: "repository",
};
const item = (given: { profile?: object | null; resource?: object | null; definitionHash?: string } = {}) =>
  ({
    profile: given.profile === null ? undefined : { ...profile, ...given.profile },
    resource: given.resource === null ? undefined : { ...resource, ...given.resource },
    definitionHash: given.definitionHash,
  }) as unknown as Item;
const codes = (blockers: readonly Blocker[]) => blockers.map(({ code, remedy }) => `${code}: ${remedy}`);

describe("what keeps access from being had", () => {
  it("is a kind of access that is gone, not approved, or not what was decided", () => {
    expect(codes(meaningOf(item(), 0))).toEqual([]);
    expect(codes(meaningOf(item({ definitionHash: "h1" }), 0))).toEqual([]);
    expect(codes(meaningOf(item({ profile: null }), 0))).toEqual(["profile_not_approved: none"]);
    expect(codes(meaningOf(item({ profile: { status: "disabled" } }), 0))).toEqual(["profile_not_approved: none"]);
    expect(codes(meaningOf(item({ definitionHash: "h0" }), 0))).toEqual(["profile_changed: decide"]);
  });

  it("is a resource that is not there, for a time or for ever", () => {
    expect(codes(standingOf(item(), 0))).toEqual([]);
    expect(codes(standingOf(item({ resource: null }), 0))).toEqual(["resource_retired: none"]);
    expect(codes(standingOf(item({ resource: { status: "retired" } }), 0))).toEqual(["resource_retired: none"]);
    expect(codes(standingOf(item({ resource: { status: "missing" } }), 0))).toEqual(["resource_not_active: wait"]);
  });

  it.each([
    ["another target", { connectorInstanceId: "ci_2" }],
    ["another type of resource", { resourceType: "team" }],
    ["another resource", { resourceId: "ars_2" }],
    ["other principals", { grantableTo: ["group"] }],
  ])("is a kind of access for %s", (_title, other) => {
    expect(codes(fitOf(item(), 0, { type: "user" }))).toEqual([]);
    expect(codes(fitOf(item({ profile: other }), 0, { type: "user" }))).toEqual(["profile_unfit: none"]);
  });

  it("counts by what least can be done about, the first of that first", () => {
    const waits: Blocker = { code: "asset_denied", remedy: "wait", message: "Wait." };
    const decides: Blocker = { code: "profile_changed", remedy: "decide", message: "Decide." };
    const ends: Blocker = { code: "conflict", remedy: "none", message: "End." };

    expect(mostFinal([])).toBeUndefined();
    expect(mostFinal([waits, decides])).toBe(decides);
    expect(mostFinal([waits, ends, decides, { ...ends, message: "Later." }])).toBe(ends);
  });

  it("is refused with the first of it", () => {
    expect(() => requireNone([])).not.toThrow();
    expect(() => requireNone(standingOf(item({ resource: null }), 0))).toThrow("The resource is gone.");
  });
});
