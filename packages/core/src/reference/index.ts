export { REVIEW_ACTIONS } from "../families/governance/index.js";
export { collections, FOUR_EYES_PLACES, machines, OWN_EVENTS } from "../families/index.js";
export {
  CAPABILITIES,
  KILL_SWITCHES,
  LIMITS,
  type LimitKey,
  SETTINGS,
  type SettingKey,
  settingShape,
  TARGETED_SWITCHES,
} from "../families/platform/index.js";
export { TAGS } from "../families/tags.js";
export { LEAST_RETENTION_DAYS, RETENTION_DAYS, type RetentionKind } from "../kernel/config/options.js";
export { ERRORS } from "../kernel/http/errors.js";
export { type DescribedOperation as Operation, effectOf } from "../kernel/operation/operation.js";
export { errorCodesOf } from "../kernel/pipeline/openapi/error-codes.js";
export type { Collection } from "../kernel/records/collection.js";
export type { Machine } from "../kernel/records/machine.js";
export { operations } from "./operations.js";
export {
  HUMAN_ONLY,
  PERMISSIONS,
  PROVIDER_ROLES,
  permissionsOf,
  ROLE_DESCRIPTIONS,
  ROLES,
  TENANT_ROLES,
} from "./roles.js";
export { RULE_LANGUAGE, type RuleField } from "./rule-language.js";
