import { createPlane } from "@reeve/testkit";
import { expect, it } from "vitest";
import { type HostApp, mountedTwice, routeConflicts } from "../src/route-conflicts.js";

const { controlPlane } = createPlane();
const PATH = "/api/v1/ai-assets";

it("compares routes by match, and compares none in an Express whose layers have no match", () => {
  const middleware = () => undefined;
  const route = { path: PATH, methods: { get: true } };
  const own = { handle: middleware, match: () => true, path: "" };
  const match = (path: string) => path === PATH;
  const today: HostApp = { router: { stack: [own, { handle: undefined, route, match }] } };
  expect(routeConflicts(today, middleware, "", controlPlane.operations)).toHaveLength(1);

  const later: HostApp = { router: { stack: [{ handle: middleware }, { handle: undefined, route }] } };
  expect(routeConflicts(later, middleware, "", controlPlane.operations)).toEqual([]);
  expect(mountedTwice(later, new WeakSet([middleware]), "")).toEqual([]);
});
