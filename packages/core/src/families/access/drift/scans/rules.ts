import type { Capability } from "../../../../connectors/index.js";
import type { DriftKind } from "../schema.js";
import type { AccessDriftScan, Coverage, Phase } from "./schema.js";

const OF_RECORDS: readonly DriftKind[] = ["resource_missing", "definition_changed", "owner_missing"];
const BY_ASKING: readonly DriftKind[] = ["missing_in_target", "over_privileged"];
const BY_LISTING: readonly DriftKind[] = [
  ...BY_ASKING,
  ...(["under_privileged", "unmanaged_in_target", "ended_still_present", "principal_changed"] as const),
];

/** How a target can be looked at with what its connector can do. */
export function coverageOf(capabilities: readonly Capability[]): Coverage {
  if (capabilities.includes("observe")) return "listing";
  return capabilities.includes("verify") ? "verify" : "none";
}

/** What a scan can find. The end of a grant counts only where the target keeps it. */
export function kindsOf(coverage: Coverage, expiry: "native" | "managed" | undefined): DriftKind[] {
  if (coverage === "none") return [...OF_RECORDS];
  if (coverage === "verify") return [...BY_ASKING, ...OF_RECORDS];
  return [...BY_LISTING, ...(expiry === "native" ? (["expiry_mismatch"] as const) : []), ...OF_RECORDS];
}

/** What a scan may conclude is over, because it would have seen it. */
export function concludes({ coverage, complete, kinds }: Pick<AccessDriftScan, "coverage" | "complete" | "kinds">) {
  const looked = coverage !== "listing" || complete;
  return new Set(kinds.filter((kind) => looked || OF_RECORDS.includes(kind)));
}

const FOLLOWS: Readonly<Record<Phase, Phase | null>> = {
  grants: "counting",
  counting: "missing",
  missing: "confirming",
  asking: "records",
  confirming: "records",
  records: "resolving",
  resolving: null,
};

/** The first phase of a scan. */
export const firstPhase = (coverage: Coverage): Phase =>
  coverage === "listing" ? "grants" : coverage === "verify" ? "asking" : "records";

/** The phase after another one; `null` after the last. An incomplete listing says nothing about what it lacks. */
export function phaseAfter(phase: Phase, { complete }: Pick<AccessDriftScan, "complete">): Phase | null {
  return phase === "grants" && !complete ? "confirming" : FOLLOWS[phase];
}
