import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import { searchOf } from "./search.js";
import { exporting, verification } from "./works.js";

const streamRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "activity",
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import("./activity-page.js"), "ActivityPage"),
});

const verificationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "activity/verification",
  component: lazyRouteComponent(() => import("./verification-page.js"), "VerificationPage"),
});

const exportRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "activity/export",
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import("./export-page.js"), "ExportPage"),
});

export const activity: Area = {
  name: "activity",
  path: "/activity",
  needs: ["ai-activity:read"],
  routes: [streamRoute, verificationRoute, exportRoute],
  works: [verification, exporting],
};
