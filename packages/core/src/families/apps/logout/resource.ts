import { defineResource } from "#families/resource.js";
import {
  listSessions,
  logOutEverywhere,
  logOutFromPage,
  logoutPost,
  logoutRedirect,
  takeLogoutMessage,
} from "./operations.js";

/** Sessions at applications as callers see them, and single logout. */
export const logoutResource = defineResource({
  operations: [listSessions, logOutEverywhere, logOutFromPage, takeLogoutMessage, logoutRedirect, logoutPost],
});
