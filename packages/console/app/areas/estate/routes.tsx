import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import { connectionsSearchOf, importSearchOf } from "./connections/search.js";
import { assetSearchOf, estateSearchOf } from "./search.js";

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "estate",
  validateSearch: estateSearchOf,
  component: lazyRouteComponent(() => import("./estate-page.js"), "EstatePage"),
});

const graphRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "estate/graph",
  validateSearch: estateSearchOf,
  component: lazyRouteComponent(() => import("./graph/graph-page.js"), "GraphPage"),
});

const assetRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "estate/assets/$id",
  validateSearch: assetSearchOf,
  component: lazyRouteComponent(() => import("./asset-page.js"), "AssetPage"),
});

const serverRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "estate/mcp-servers/$id",
  component: lazyRouteComponent(() => import("./server-page.js"), "ServerPage"),
});

const connectionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "estate/connections",
  validateSearch: connectionsSearchOf,
  component: lazyRouteComponent(() => import("./connections/connections-page.js"), "ConnectionsPage"),
});

const connectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "estate/connections/$connectionId",
  component: lazyRouteComponent(() => import("./connections/connection-page.js"), "ConnectionPage"),
});

const newConnectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "estate/connections/new",
  component: lazyRouteComponent(() => import("./connection-settings/settings-page.js"), "NewConnectionPage"),
});

const connectionSettingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "estate/connections/$connectionId/settings",
  component: lazyRouteComponent(() => import("./connection-settings/settings-page.js"), "EditConnectionPage"),
});

const importFileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "estate/import",
  component: lazyRouteComponent(() => import("./import/import-file-page.js"), "ImportFilePage"),
});

const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "estate/connections/$connectionId/imports/$importId",
  validateSearch: importSearchOf,
  component: lazyRouteComponent(() => import("./connections/import-page.js"), "ImportPage"),
});

export const estate: Area = {
  name: "estate",
  path: "/estate",
  needs: ["ai-asset:read"],
  routes: [
    ...[listRoute, graphRoute, assetRoute, serverRoute, connectionsRoute, connectionRoute, importRoute],
    ...[newConnectionRoute, connectionSettingsRoute, importFileRoute],
  ],
};
