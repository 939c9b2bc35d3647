import { defineArea } from "#families/area.js";
import { clientsResource } from "./clients/resource.js";
import { identityEvents } from "./events.js";
import { grantsResource } from "./grants/resource.js";
import { introspectionResource } from "./introspection/resource.js";
import { endRestoredSignIns, identityDues, runIdentityJobs } from "./jobs.js";
import { keysResource } from "./keys/resource.js";
import { metadataResource } from "./metadata/resource.js";
import { oneTimeCodesResource } from "./one-time-codes/resource.js";
import { passwordLinksResource } from "./password-links/resource.js";
import { registrationResource } from "./registration/resource.js";
import { secondFactorsResource } from "./second-factors/resource.js";
import { sessionsResource } from "./sessions/resource.js";
import { signInResource } from "./sign-in/resource.js";
import { tokensResource } from "./tokens/resource.js";
import { usersResource } from "./users/resource.js";

/** Users, machine clients, roles, sign-in, one-time codes and registration. */
export const identity = defineArea({
  name: "identity",
  resources: [
    signInResource,
    grantsResource,
    introspectionResource,
    sessionsResource,
    secondFactorsResource,
    passwordLinksResource,
    keysResource,
    metadataResource,
    oneTimeCodesResource,
    registrationResource,
    usersResource,
    clientsResource,
    tokensResource,
  ],
  dues: identityDues,
  tick: runIdentityJobs,
  restored: endRestoredSignIns,
  events: identityEvents,
});
