import { defineResource } from "#families/resource.js";
import { followLeavers } from "./follow-people.js";
import { delegationStatus } from "./machine.js";
import { createDelegation, endDelegation, listDelegations, readDelegation } from "./operations.js";
import { delegations } from "./schema.js";

/** Who stands in for people who are away. */
export const delegationsResource = defineResource({
  collections: [delegations],
  machines: [delegationStatus],
  operations: [listDelegations, createDelegation, readDelegation, endDelegation],
  follows: [followLeavers],
});
