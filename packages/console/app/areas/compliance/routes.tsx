import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import { frameworkSearchOf } from "./search.js";

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "compliance",
  component: lazyRouteComponent(() => import("./compliance-page.js"), "CompliancePage"),
});

const frameworkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "compliance/$framework",
  validateSearch: frameworkSearchOf,
  component: lazyRouteComponent(() => import("./framework-page.js"), "FrameworkPage"),
});

const controlRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "compliance/$framework/$control",
  component: lazyRouteComponent(() => import("./control/control-page.js"), "ControlPage"),
});

export const compliance: Area = {
  name: "compliance",
  path: "/compliance",
  needs: ["ai-compliance:read"],
  routes: [listRoute, frameworkRoute, controlRoute],
};
