import type { Field, Index, ListFilter } from "#store/collection.js";
import { ENVIRONMENTS, RISK_TIERS } from "../../assets/asset-terms.js";
import { LIFECYCLE } from "../../assets/lifecycle/lifecycle-states.js";
import { expiryOf, GOVERNANCE_STATES, lapses } from "../../assets/machine.js";
import type { JoinedRecord } from "./kind.js";

/** The columns of all typed records. */
const fields = {
  status: { type: "text" },
  assetId: { type: "text", compare: "exact" },
  name: { type: "text" },
  updatedAt: { type: "time" },
  provider: { type: "text" },
  environment: { type: "text" },
  owner: { type: "text", of: ({ owner }) => owner?.id },
  lifecycle: { type: "text" },
  governanceState: { type: "text" },
  riskTier: { type: "text" },
  /** When the approval of the asset expires. `null` without an approval or without an end. */
  approvalEndsAt: { type: "time", of: expiryOf },
} satisfies Record<string, Field<JoinedRecord>>;

/** Of equally selective filters, the first index here is used. */
const indexes: readonly Index[] = [
  { where: ["owner"] },
  { where: ["governanceState"] },
  { where: [], by: "updatedAt" },
  { where: [], by: "name" },
  { where: [], by: "approvalEndsAt", partial: true },
];

const filters = {
  governanceState: { values: GOVERNANCE_STATES, changesAt: "approvalEndsAt", description: "That of the asset." },
  riskTier: { values: RISK_TIERS, description: "That of the asset." },
  lifecycle: { values: LIFECYCLE, description: "The `status` of the asset." },
  environment: { values: ENVIRONMENTS },
  provider: {},
  owner: { description: "Id of the owner." },
  assetId: { ids: "ai_asset", description: "Only the record of this asset." },
} satisfies Record<string, ListFilter>;

const orders = { updatedAt: "updatedAt", name: "name" };

const MAX_LENGTH = 16_384;

/** The text that a search of records covers: name, description and `more`. */
export function recordText(
  { name, description }: Pick<JoinedRecord, "name" | "description">,
  ...more: readonly (string | null)[]
): string {
  return [name, description, ...more].filter(Boolean).join("\n").slice(0, MAX_LENGTH).toWellFormed();
}

type Approved = Pick<JoinedRecord, "governanceState" | "approvedUntil" | "reviewUntil">;

/** The time transition of a copied approval, as its asset makes it. */
const approval = {
  staleAt: expiryOf,
  derive: <R extends Approved>(record: R, now: string): R =>
    (expiryOf(record) ?? "~") <= now
      ? { ...record, governanceState: lapses(record) ? "under_review" : "expired", reviewUntil: null }
      : record,
};

/** The declarations that all collections of records share. Each spreads it and adds its own. */
export const joined = { fields, indexes, filters, orders, approval };
