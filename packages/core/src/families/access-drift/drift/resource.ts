import { defineResource } from "#families/resource.js";
import { letDriftBe } from "./decide-drift.js";
import { driftFigures, driftOfAccess } from "./drift-facts.js";
import { followReconciliations } from "./follow-drift.js";
import { accessDriftStatus } from "./machine.js";
import {
  acceptDriftOperation,
  listDrift,
  readDrift,
  repairDriftOperation,
  suppressDriftOperation,
} from "./operations.js";
import { accessDrift } from "./schema.js";

/** Differences between access in targets and access that was approved. */
export const driftResource = defineResource({
  collections: [accessDrift],
  machines: [accessDriftStatus],
  operations: [listDrift, readDrift, acceptDriftOperation, suppressDriftOperation, repairDriftOperation],
  permissions: {
    "access-drift:scan": {
      lets: "Compare connected systems with what was granted",
      heldBy: ["governance_officer", "operator"],
    },
    "access-drift:repair": {
      lets: "Have connected systems put right where they differ from what was granted",
      heldBy: ["governance_officer", "operator"],
    },
    "access-drift:decide": {
      lets: "Let a difference between a connected system and what was granted be",
      heldBy: ["governance_officer"],
      peopleOnly: true,
    },
  },
  fourEyes: [letDriftBe],
  follows: [followReconciliations],
  extends: [driftOfAccess, driftFigures],
});
