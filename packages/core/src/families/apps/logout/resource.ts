import { defineResource } from "#families/resource.js";
import {
  listSessions,
  logOutEverywhere,
  logOutFromPage,
  logoutPost,
  logoutRedirect,
  takeLogoutMessage,
} from "./operations.js";

/** Single logout from applications. */
export const logoutResource = defineResource({
  operations: [listSessions, logOutEverywhere, logOutFromPage, takeLogoutMessage, logoutRedirect, logoutPost],
});
