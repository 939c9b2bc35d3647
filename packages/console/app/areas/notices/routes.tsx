import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import { pageSearchOf, searchOf } from "./search.js";

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "notices",
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import("./notices-page.js"), "NoticesPage"),
});

const preferencesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "notices/preferences",
  component: lazyRouteComponent(() => import("./preferences/preferences-page.js"), "PreferencesPage"),
});

const delegationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "notices/delegations",
  validateSearch: pageSearchOf,
  component: lazyRouteComponent(() => import("./delegations/delegations-page.js"), "DelegationsPage"),
});

/** Pages of what one was told of. Everybody has them, and the header leads there. */
export const noticeRoutes = [listRoute, preferencesRoute, delegationsRoute];
