import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import {
  codesSearchOf,
  publicationsSearchOf,
  searchOf,
  usageSearchOf,
  watchesSearchOf,
  watchSearchOf,
} from "./search.js";

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "installations",
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import("./installations-page.js"), "InstallationsPage"),
});

const publicationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "installations/publications",
  validateSearch: publicationsSearchOf,
  component: lazyRouteComponent(() => import("./publications-page.js"), "PublicationsPage"),
});

const codesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "installations/codes",
  validateSearch: codesSearchOf,
  component: lazyRouteComponent(() => import("./codes-page.js"), "CodesPage"),
});

const oneRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "installations/one/$installationId",
  component: lazyRouteComponent(() => import("./installation-page.js"), "InstallationPage"),
});

const useRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "installations/use",
  validateSearch: usageSearchOf,
  component: lazyRouteComponent(() => import("./use/use-page.js"), "UsePage"),
});

const watchesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "installations/watches",
  validateSearch: watchesSearchOf,
  component: lazyRouteComponent(() => import("./watches/watches-page.js"), "WatchesPage"),
});

const watchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "installations/watches/$watchId",
  validateSearch: watchSearchOf,
  component: lazyRouteComponent(() => import("./watches/watch-page.js"), "WatchPage"),
});

export const installations: Area = {
  name: "installations",
  path: "/installations",
  needs: ["installation:read"],
  routes: [listRoute, publicationsRoute, codesRoute, oneRoute, useRoute, watchesRoute, watchRoute],
};
