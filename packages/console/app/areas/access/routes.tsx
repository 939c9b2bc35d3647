import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "../../shell/shell-route.js";
import type { Area } from "../area.js";
import {
  askSearchOf,
  assignmentSearchOf,
  driftSearchOf,
  itemSearchOf,
  requestSearchOf,
  searchOf,
  unusedSearchOf,
} from "./search.js";

const below = <Path extends string>(path: Path) => ({ getParentRoute: () => shellRoute, path });

const routes = [
  createRoute({
    ...below("access"),
    validateSearch: searchOf,
    component: lazyRouteComponent(() => import("./certifications/certifications-page.js"), "CertificationsPage"),
  }),
  createRoute({
    ...below("access/certifications/$certificationId"),
    validateSearch: itemSearchOf,
    component: lazyRouteComponent(() => import("./certifications/certification-page.js"), "CertificationPage"),
  }),
  createRoute({
    ...below("access/assignments"),
    validateSearch: assignmentSearchOf,
    component: lazyRouteComponent(() => import("./assignments/assignments-page.js"), "AssignmentsPage"),
  }),
  createRoute({
    ...below("access/assignments/$assignmentId"),
    component: lazyRouteComponent(() => import("./assignments/assignment-page.js"), "AssignmentPage"),
  }),
  createRoute({
    ...below("access/unused"),
    validateSearch: unusedSearchOf,
    component: lazyRouteComponent(() => import("./assignments/unused-page.js"), "UnusedPage"),
  }),
  createRoute({
    ...below("access/requests"),
    validateSearch: requestSearchOf,
    component: lazyRouteComponent(() => import("./requests/requests-page.js"), "RequestsPage"),
  }),
  createRoute({
    ...below("access/requests/$requestId"),
    component: lazyRouteComponent(() => import("./requests/request-page.js"), "RequestPage"),
  }),
  createRoute({
    ...below("access/ask"),
    validateSearch: askSearchOf,
    component: lazyRouteComponent(() => import("./requests/ask-page.js"), "AskPage"),
  }),
  createRoute({
    ...below("access/drift"),
    validateSearch: driftSearchOf,
    component: lazyRouteComponent(() => import("./drift/drift-page.js"), "DriftPage"),
  }),
];

export const access: Area = { name: "access", path: "/access", needs: ["access:read"], routes };
