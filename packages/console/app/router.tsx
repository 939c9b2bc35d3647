import { createRouter } from "@tanstack/react-router";
import { consoleUrl } from "./api/base.js";
import { areas } from "./areas/index.js";
import { noticeRoutes } from "./areas/notices/routes.js";
import { sessionRoutes } from "./areas/session/routes.js";
import { homeRoute } from "./shell/home-route.js";
import { rootRoute } from "./shell/root-route.js";
import { shellRoute } from "./shell/shell-route.js";
import { Loading } from "./ui/states.js";

const shell = shellRoute.addChildren([
  homeRoute,
  ...sessionRoutes,
  ...noticeRoutes,
  ...areas.flatMap(({ routes }) => routes),
]);

/** The addresses below `/console`, wherever that is mounted. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([shell]),
  basepath: consoleUrl.pathname.replace(/\/$/, ""),
  context: { areas },
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  scrollRestoration: true,
});
