import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { choice, pageOf } from "../../api/search.js";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import { REVIEW_KINDS } from "./kinds.js";

/** The filters of the list, which stand in its address. */
const searchOf = (search: Record<string, unknown>) => ({
  page: pageOf(search.page),
  kind: choice(search.kind, REVIEW_KINDS),
  whose: choice(search.whose, ["all"]),
});

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "inbox",
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import("./inbox-page.js"), "InboxPage"),
});

export const useInboxSearch = (): ReturnType<typeof searchOf> => listRoute.useSearch();

export const inbox: Area = {
  name: "inbox",
  path: "/inbox",
  needs: ["review:read"],
  routes: [listRoute],
};
