import { defineArea } from "#families/area.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { applicationsResource } from "./applications/resource.js";
import { assignmentsResource } from "./assignments/resource.js";
import { appEvents } from "./events.js";
import { appDues, endRestoredSignOns, runAppJobs } from "./jobs.js";
import { keysResource } from "./keys/resource.js";
import { logoutResource } from "./logout/resource.js";
import { pagesResource } from "./pages/resource.js";
import { samlAppsResource } from "./saml-apps/resource.js";
import { sessionsResource } from "./sessions/resource.js";
import { signOnResource } from "./sign-on/resource.js";

/** Applications that people and AI identities sign on to by SAML. */
export const appsArea = defineArea({
  name: "apps",
  resources: [
    samlAppsResource,
    assignmentsResource,
    keysResource,
    sessionsResource,
    signOnResource,
    applicationsResource,
    logoutResource,
    pagesResource,
  ],
  dues: appDues,
  tick: runAppJobs,
  restored: endRestoredSignOns,
  events: appEvents,
  extends: [defineEventReaders({ saml_key: ["saml-app:read"] })],
});
