import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import { askSearchOf, exemptionsSearchOf, searchOf } from "./search.js";

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

const exemptionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "findings/exemptions",
  validateSearch: exemptionsSearchOf,
  component: lazyRouteComponent(() => import("./exemptions/exemptions-page.js"), "ExemptionsPage"),
});

const askRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "findings/exemptions/new",
  validateSearch: askSearchOf,
  component: lazyRouteComponent(() => import("./exemptions/ask-page.js"), "AskPage"),
});

const exemptionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "findings/exemptions/$exemptionId",
  component: lazyRouteComponent(() => import("./exemptions/exemption-page.js"), "ExemptionPage"),
});

export const findings: Area = {
  name: "findings",
  path: "/findings",
  needs: ["ai-finding:read"],
  routes: [listRoute, findingRoute, exemptionsRoute, askRoute, exemptionRoute],
};
