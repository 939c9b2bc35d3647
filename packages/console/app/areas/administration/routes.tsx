import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import { searchOf } from "./search.js";

const peopleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration",
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import("./people-page.js"), "PeoplePage"),
});

const personRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "administration/people/$userId",
  component: lazyRouteComponent(() => import("./person-page.js"), "PersonPage"),
});

export const administration: Area = {
  name: "administration",
  path: "/administration",
  needs: ["user:read"],
  routes: [peopleRoute, personRoute],
};
