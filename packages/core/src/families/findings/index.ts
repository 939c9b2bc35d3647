export { countsOfDays } from "./days/schema.js";
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
  statusOnDetection,
} from "./findings/detect/detection.js";
export { ACCESS_KEY, type Observation, type ObservedAt, observe, observeEnd } from "./findings/detect/observe.js";
export { slaDaysOf } from "./findings/detect/sla.js";
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
} from "./findings/exemption-terms.js";
export { type Dismissal, Finding } from "./findings/fields.js";
export {
  CLOSED_REASONS,
  type ClosedReason,
  DISMISSAL_REASONS,
  EXEMPTION_STATUSES,
  FINDING_STATUSES,
  type FindingStatus,
  isOpen,
  LIVE_STATUSES,
  moreSevere,
  OPEN_STATUSES,
  ordinalOf,
  raisedBy,
  SEVERITIES,
  type Severity,
} from "./findings/finding-terms.js";
export { type OpenChange, OpenChanges, openCounts } from "./findings/open-changes.js";
export {
  baselineCount,
  blockingFindings,
  countFindingsBy,
  type FindingCell,
  findingCells,
  openBesideBaseline,
  openBySeverity,
} from "./findings/queries.js";
export { Party } from "./findings/review-party.js";
export type { FindingPatch, FindingVerb } from "./findings/review-verbs.js";
export { verbOf } from "./findings/review-verbs.js";
export { findingAt, gravest, statusOf } from "./findings/rules.js";
export { findings, standingOf } from "./findings/schema.js";
export {
  changeFinding,
  changeFindings,
  type FindingChange,
  openFindings,
  touchFinding,
} from "./findings/write-review.js";
