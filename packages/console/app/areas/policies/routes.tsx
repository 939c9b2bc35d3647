import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import { policiesSearchOf, policySearchOf } from "./search.js";
import { backTesting } from "./works.js";

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "policies",
  validateSearch: policiesSearchOf,
  component: lazyRouteComponent(() => import("./policies-page.js"), "PoliciesPage"),
});

const newRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "policies/new",
  component: lazyRouteComponent(() => import("./editor/editor-page.js"), "NewPolicyPage"),
});

const policyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "policies/$policyId",
  validateSearch: policySearchOf,
  component: lazyRouteComponent(() => import("./page/policy-page.js"), "PolicyPage"),
});

const editRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "policies/$policyId/edit",
  component: lazyRouteComponent(() => import("./editor/editor-page.js"), "EditPolicyPage"),
});

export const policies: Area = {
  name: "policies",
  path: "/policies",
  needs: ["ai-policy:read"],
  routes: [listRoute, newRoute, policyRoute, editRoute],
  works: [backTesting],
};
