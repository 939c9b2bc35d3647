import type { Asset } from "#families/estate/index.js";
import type { AccessRequest, Conflict, Evaluation } from "../schema.js";

const OF_RISK = { low: 10, medium: 30, high: 55, critical: 75 } as const;
const HIGH_PRIVILEGE = 3;

type Rated = Pick<AccessRequest, "items" | "isPermanent" | "emergency">;

/** What raises the risk of a request, and by how much. */
export function factorsOf(
  { items, isPermanent, emergency }: Rated,
  { environment }: Pick<Asset, "environment">,
  conflicts: readonly Conflict[],
): Evaluation["factors"] {
  const worst = items.reduce((most, { riskLevel }) => Math.max(most, OF_RISK[riskLevel]), 0);
  const all = [
    { key: "profile_risk", points: worst },
    { key: "high_privilege", points: items.some(({ privilegeLevel }) => privilegeLevel >= HIGH_PRIVILEGE) ? 10 : 0 },
    { key: "several_items", points: items.length > 1 ? 5 : 0 },
    { key: "production", points: environment === "production" ? 10 : 0 },
    { key: "permanent", points: isPermanent ? 10 : 0 },
    { key: "emergency", points: emergency ? 5 : 0 },
    { key: "conflicts", points: Math.min(20, 10 * conflicts.length) },
  ];
  return all.filter(({ points }) => points > 0);
}
