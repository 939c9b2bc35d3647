import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { createPolicy, listPolicies, readPolicy, removePolicy, replacePolicy } from "./operations.js";
import { holdCovered } from "./plan/moved.js";
import { accessPolicies } from "./schema.js";

/** Policies for requests: which are allowed, which require approval, which are denied. */
export const policiesResource = defineResource({
  collections: [accessPolicies],
  operations: [listPolicies, createPolicy, readPolicy, replacePolicy, removePolicy],
  permissions: {
    "access-policy:read": { lets: "See who approves which access", heldBy: [...READERS, "member"] },
    "access-policy:write": {
      lets: "Say who approves which access, what needs no approval and what conflicts",
      heldBy: ["governance_officer"],
      peopleOnly: true,
    },
  },
  follows: [holdCovered],
});
