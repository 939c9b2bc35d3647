import { defineFamily } from "../../kernel/family.js";
import { findingDays } from "./days.js";
import { listFindings, readFinding } from "./operations.js";
import { findings } from "./schema.js";
import { storeTurned } from "./upkeep.js";

export { countsOfDays } from "./days.js";
export {
  type Circumstances,
  closedBecause,
  type Detected,
  dueOf,
  fingerprintOf,
  notSeen,
  opened,
  type SlaDays,
  seenAbsent,
  seenAgain,
} from "./detection.js";
export {
  areTooMany,
  type Cover,
  coversOf,
  type Exemption,
  type ExemptionScope,
  type ExemptionState,
  type ExemptionTime,
  exemptionState,
  lasting,
  MOST_COVERS,
  matching,
} from "./exemption-terms.js";
export { type Dismissal, Finding } from "./fields.js";
export { Party } from "./party.js";
export { blockingFindings, openBySeverity, tallyFindings } from "./reading.js";
export { findings, standingOf } from "./schema.js";
export { slaDaysOf } from "./sla.js";
export { findingAt, statusOf } from "./status.js";
export type { FindingPatch, FindingVerb } from "./verbs.js";
export { verbOf } from "./verbs.js";
export {
  CLOSED_REASONS,
  type ClosedReason,
  DISMISSAL_REASONS,
  EXEMPTION_STATUSES,
  FINDING_STATUSES,
  type FindingStatus,
  graver,
  isOpen,
  ordinalOf,
  raisedBy,
  SEVERITIES,
  type Severity,
} from "./vocabulary.js";
export { changeFinding, changeFindings, type FindingChange, openFindings } from "./write.js";

/** What is wrong with assets: apart from governance, which finds it, since the estate reads it too. */
export const findingsFamily = defineFamily({
  name: "findings",
  collections: [findings, findingDays],
  machines: [],
  operations: [listFindings, readFinding],
  tick: storeTurned,
});
