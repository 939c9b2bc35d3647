import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import { itemSearchOf, searchOf } from "./search.js";

const certificationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "access",
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import("./certifications-page.js"), "CertificationsPage"),
});

const certificationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "access/certifications/$certificationId",
  validateSearch: itemSearchOf,
  component: lazyRouteComponent(() => import("./certification-page.js"), "CertificationPage"),
});

export const access: Area = {
  name: "access",
  path: "/access",
  needs: ["access:read"],
  routes: [certificationsRoute, certificationRoute],
};
