export { accessFigures, Figure, NamedFigure } from "./figures/schema.js";
export { assetNameOf } from "./identities/asset-name.js";
export {
  AccessIdentity,
  AccessPrincipal,
  accessIdentities,
  type PrincipalLookUp,
  principalSubject,
  sharedKey,
} from "./identities/schema.js";
export {
  type AccessSide,
  APPROVAL_VALID_FOR,
  type ApprovalStage,
  Approver,
  type ConflictRule,
  EMERGENCY_MOST,
  ON_HIT,
  SEVERITIES,
} from "./policies/fields.js";
export { requireAll, requireNamed } from "./policies/named-parties.js";
export { policyEditors, policyEdits } from "./policies/plan/editors.js";
export { policiesInForce } from "./policies/plan/in-force.js";
export { isCovered, least, pendingForOf } from "./policies/rules.js";
export type { AccessPolicy } from "./policies/schema.js";
export { accessProfileStatus } from "./profiles/machine.js";
export { requireParameters } from "./profiles/profile-parameters.js";
export {
  type DescribedProfile,
  defaultTerms,
  definitionHash,
  definitionHash as profileDefinitionHash,
  readProfile,
} from "./profiles/rules.js";
export { type AccessProfile, accessProfiles, profileSubject, RISK_LEVELS } from "./profiles/schema.js";
export { blockersOf } from "./requestability/find-blockers.js";
export { type Blocker, mostFinal, requireNone } from "./requestability/rules.js";
export { accessResourceStatus } from "./resources/machine.js";
export { unmanagedAmong, whyUnmanaged } from "./resources/managed-resources.js";
export { resourceOwners } from "./resources/resource-owners.js";
export { type DescribedResource, RETIRE_AFTER, readResource, withoutNothing } from "./resources/rules.js";
export { type AccessResource, accessResources, ExternalReference, resourceSubject } from "./resources/schema.js";
export { OfAsset, OfTarget, reading, tag } from "./targets/fields.js";
export { notRequestable, PROVISION, targetKeys } from "./targets/rules.js";
export { AccessTarget, AvailableAccessTarget, type NotRequestable } from "./targets/schema.js";
export { syncStates, whyNotRequestable } from "./targets/why-not-requestable.js";
