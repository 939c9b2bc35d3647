import { defineArea } from "#families/area.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { backTestsResource } from "./back-tests/resource.js";
import { dashboardResource } from "./dashboard/resource.js";
import { decisionsResource } from "./decisions/resource.js";
import { enumsResource } from "./enums/resource.js";
import { evaluationsResource } from "./evaluations/resource.js";
import { governanceEvents } from "./events.js";
import { exemptionsResource } from "./exemptions/resource.js";
import { packsResource } from "./packs/resource.js";
import { policiesResource } from "./policies/resource.js";
import { reviewsResource } from "./reviews/resource.js";

/** Policies over assets and requests, their evaluation, and decisions of people about findings. */
export const governance = defineArea({
  name: "governance",
  // Exemptions end before policies are evaluated.
  resources: [
    policiesResource,
    backTestsResource,
    packsResource,
    reviewsResource,
    exemptionsResource,
    evaluationsResource,
    dashboardResource,
    decisionsResource,
    enumsResource,
  ],
  events: governanceEvents,
  extends: [
    // A decision holds values of the input, as the request for its approval does.
    defineEventReaders({ ai_decision: ["ai-approval:read"], policy_pack: ["ai-policy:read"] }),
  ],
});
