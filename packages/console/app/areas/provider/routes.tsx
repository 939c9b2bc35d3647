import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import { pageSearchOf, tenantsSearchOf } from "./search.js";

const tenantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "provider",
  validateSearch: tenantsSearchOf,
  component: lazyRouteComponent(() => import("./tenants-page.js"), "TenantsPage"),
});

const tenantRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "provider/tenants/$tenantId",
  validateSearch: pageSearchOf,
  component: lazyRouteComponent(() => import("./tenant/tenant-page.js"), "TenantPage"),
});

const switchesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "provider/switches",
  validateSearch: pageSearchOf,
  component: lazyRouteComponent(() => import("./switches/switches-page.js"), "SwitchesPage"),
});

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "provider/settings",
  validateSearch: pageSearchOf,
  component: lazyRouteComponent(() => import("./config/settings-page.js"), "SettingsPage"),
});

const sqlRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "provider/sql",
  component: lazyRouteComponent(() => import("./sql/sql-page.js"), "SqlPage"),
});

export const provider: Area = {
  name: "provider",
  path: "/provider",
  needs: ["support:read"],
  routes: [tenantsRoute, tenantRoute, switchesRoute, settingsRoute, sqlRoute],
};
