import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import { searchOf } from "./search.js";

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "findings",
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import("./findings-page.js"), "FindingsPage"),
});

const findingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "findings/$findingId",
  component: lazyRouteComponent(() => import("./finding-page.js"), "FindingPage"),
});

export const findings: Area = {
  name: "findings",
  path: "/findings",
  needs: ["ai-finding:read"],
  routes: [listRoute, findingRoute],
};
