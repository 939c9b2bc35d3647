import type { Asset } from "#families/estate/index.js";
import { ASSESSED_FIELDS, type AssessedFields } from "./fields.js";

/** How an asset stands with a kind of assessment. */
export const STANDINGS = ["none", "approved", "outdated", "expired"] as const;
export type Standing = (typeof STANDINGS)[number];

/** The fields of an asset that an assessment is about, as they are. */
export function assessedOf(asset: AssessedFields): AssessedFields {
  return Object.fromEntries(ASSESSED_FIELDS.map((field) => [field, asset[field]])) as AssessedFields;
}

/** The names of fields that differ from what was assessed. */
export function changedSince(assessed: AssessedFields, asset: AssessedFields): (keyof AssessedFields)[] {
  return ASSESSED_FIELDS.filter((field) => assessed[field] !== asset[field]);
}

interface Decided {
  readonly status: string;
  readonly assessed: AssessedFields;
}

/** The standing of an asset by its assessments of one kind, newest first. */
export function standingOf(asset: Asset, assessments: readonly Decided[]): Standing {
  const decided = assessments.find(({ status }) => status === "approved" || status === "expired");
  if (!decided) return "none";
  if (decided.status === "expired") return "expired";
  return changedSince(decided.assessed, asset).length === 0 ? "approved" : "outdated";
}
