import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { testPolicy, validatePolicy } from "./check-operations.js";
import { readActivation } from "./force/activation-operation.js";
import { confirmChange } from "./force/decide.js";
import { activatePolicy } from "./force/move.js";
import { decidePolicyChange, requestPolicyActivation } from "./force/operations.js";
import { policyStatus } from "./machine.js";
import { governancePolicies, runtimePolicies } from "./operations.js";
import { policies } from "./schema.js";
import { listVersions, readVersion } from "./version-operations.js";

/** Policies over assets and over decisions, with versions and four-eyes changes. */
export const policiesResource = defineResource({
  collections: [policies],
  machines: [policyStatus],
  operations: [
    governancePolicies.list,
    governancePolicies.create,
    governancePolicies.read,
    governancePolicies.replace,
    governancePolicies.remove,
    decidePolicyChange,
    requestPolicyActivation,
    readActivation,
    listVersions,
    readVersion,
    validatePolicy,
    testPolicy,
    runtimePolicies.list,
    runtimePolicies.create,
    runtimePolicies.read,
    runtimePolicies.replace,
    runtimePolicies.remove,
  ],
  permissions: {
    "ai-policy:read": { lets: "See policies, check and test them", heldBy: [...READERS, "member"] },
    "ai-policy:write": { lets: "Write and change policies, install packs of them", heldBy: ["governance_officer"] },
    "ai-policy:delete": { lets: "Delete policies that are drafts or archived", heldBy: ["governance_officer"] },
    "ai-policy:activate": {
      lets: "Put policies under observation, in force and out of it",
      heldBy: ["governance_officer"],
      peopleOnly: true,
    },
  },
  fourEyes: [activatePolicy, confirmChange],
});
