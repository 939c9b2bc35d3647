import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import { stopSearchOf } from "./search.js";

const stopRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "stop",
  validateSearch: stopSearchOf,
  component: lazyRouteComponent(() => import("./stop-page.js"), "StopPage"),
});

export const stop: Area = { name: "stop", path: "/stop", needs: ["ai-session:read"], routes: [stopRoute] };
