import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import { searchOf } from "./search.js";
import { bulkDecision } from "./works.js";

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "inbox",
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import("./inbox-page.js"), "InboxPage"),
});

const reviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "inbox/$id",
  component: lazyRouteComponent(() => import("./review-page.js"), "ReviewPage"),
});

const togetherRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "inbox/together/$workId",
  component: lazyRouteComponent(() => import("./bulk/bulk-page.js"), "BulkPage"),
});

export const inbox: Area = {
  name: "inbox",
  path: "/inbox",
  needs: ["review:read"],
  routes: [listRoute, reviewRoute, togetherRoute],
  works: [bulkDecision],
};
