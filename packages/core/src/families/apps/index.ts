import { extend } from "#kernel/config/extension.js";
import { defineArea } from "#kernel/operation/area.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { listOwnApps, readApplication, removeOwnApp, updateApplication } from "./applications/operations.js";
import { hiddenApps } from "./applications/schema.js";
import { dropAssignments } from "./assignments/check/drop.js";
import { lostAccess } from "./assignments/check/lost-access.js";
import { assignApp, listAssignments, unassignApp } from "./assignments/operations.js";
import { samlAssignments } from "./assignments/schema.js";
import { appEvents } from "./events.js";
import { appDues, endRestoredSignOns, runAppJobs } from "./jobs.js";
import { activateKey, createKey, listKeys } from "./keys/operations.js";
import { samlKeys } from "./keys/schema.js";
import {
  listSessions,
  logOutEverywhere,
  logOutFromPage,
  logoutPost,
  logoutRedirect,
  takeLogoutMessage,
} from "./logout/operations.js";
import {
  readSamlMetadata,
  showLauncher,
  signInOnPage,
  signInPageOperation,
  ssoPost,
  ssoRedirect,
  startFromLauncher,
} from "./pages/operations.js";
import { appClosings } from "./saml-apps/change/closing.js";
import { samlAppStatus } from "./saml-apps/machine.js";
import {
  createSamlApp,
  listSamlApps,
  previewSamlApp,
  readForm,
  readSamlApp,
  readSamlHealth,
  removeSamlApp,
  updateSamlApp,
} from "./saml-apps/operations.js";
import { samlAppPermissions } from "./saml-apps/permissions.js";
import { samlApps, samlAppUsage } from "./saml-apps/schema.js";
import { endSessionsWithoutAccess } from "./sessions/end/access.js";
import { endSessionsOfApp } from "./sessions/end/end.js";
import { followClients, followUsers } from "./sessions/end/follow.js";
import { samlSessions } from "./sessions/schema.js";
import { launchApp, signOnByNonce } from "./sign-on/operations.js";
import { samlNonces, samlUsedMessages } from "./sign-on/schema.js";

export { bindSignOn, signOnConnector } from "./assignments/governed/connector.js";

/** Applications that people and AI identities sign on to by SAML. */
export const appsArea = defineArea({
  name: "apps",
  collections: [
    samlApps,
    samlAppUsage,
    samlAssignments,
    samlKeys,
    samlSessions,
    samlNonces,
    samlUsedMessages,
    hiddenApps,
  ],
  machines: [samlAppStatus],
  operations: [
    listSamlApps,
    readForm,
    createSamlApp,
    readSamlHealth,
    readSamlApp,
    updateSamlApp,
    removeSamlApp,
    previewSamlApp,
    launchApp,
    listAssignments,
    assignApp,
    unassignApp,
    listSessions,
    listKeys,
    createKey,
    activateKey,
    listOwnApps,
    readApplication,
    updateApplication,
    removeOwnApp,
    signOnByNonce,
    readSamlMetadata,
    ssoRedirect,
    ssoPost,
    signInPageOperation,
    signInOnPage,
    showLauncher,
    startFromLauncher,
    logOutEverywhere,
    logOutFromPage,
    takeLogoutMessage,
    logoutRedirect,
    logoutPost,
  ],
  dues: appDues,
  tick: runAppJobs,
  restored: endRestoredSignOns,
  follows: [followUsers, followClients],
  extends: [
    appEvents,
    samlAppPermissions,
    // The sessions of an application end before its assignments go.
    extend(appClosings, endSessionsOfApp),
    extend(appClosings, dropAssignments),
    extend(lostAccess, endSessionsWithoutAccess),
    defineEventReaders({ saml_key: ["saml-app:read"] }),
  ],
});
