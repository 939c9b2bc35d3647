import type { Capability, Manifest } from "#connectors/index.js";
import type { DriftKind } from "../drift/schema.js";
import type { AccessDriftScan, Coverage, Phase } from "./schema.js";

const OF_RECORDS: readonly DriftKind[] = ["resource_missing", "definition_changed", "owner_missing"];
const BY_ASKING: readonly DriftKind[] = ["missing_in_target", "over_privileged"];
const BY_LISTING: readonly DriftKind[] = [
  ...BY_ASKING,
  ...(["under_privileged", "unmanaged_in_target", "ended_still_present", "principal_changed"] as const),
];

/** Whether a difference is of a grant itself, about which the target tells. */
export const isOfGrant = (kind: DriftKind): boolean => BY_LISTING.includes(kind) || kind === "expiry_mismatch";

/** How a target can be looked at with what its connector can do. */
export function coverageOf(capabilities: readonly Capability[]): Coverage {
  if (capabilities.includes("observe")) return "listing";
  return capabilities.includes("verify") ? "verify" : "none";
}

/** What a scan can find. The end of a grant counts only where the target keeps it. */
export function kindsOf({ capabilities, expiry }: Pick<Manifest, "capabilities" | "expiry">): DriftKind[] {
  const of: Readonly<Record<Coverage, readonly DriftKind[]>> = {
    none: [],
    verify: BY_ASKING,
    listing: expiry === "native" ? [...BY_LISTING, "expiry_mismatch"] : BY_LISTING,
  };
  const credentials = capabilities.includes("credentials") ? (["unknown_credential"] as const) : [];
  return [...of[coverageOf(capabilities)], ...OF_RECORDS, ...credentials];
}

/** What a scan may conclude is over, because it would have seen it. */
export function concludes({ coverage, complete, credentialsComplete, kinds }: Looked): ReadonlySet<DriftKind> {
  const looked = coverage !== "listing" || complete;
  const sees = (kind: DriftKind) =>
    kind === "unknown_credential" ? credentialsComplete === true : looked || OF_RECORDS.includes(kind);
  return new Set(kinds.filter(sees));
}

/** Whether a scan has compared all that it can. */
export const isWhole = ({
  coverage,
  complete,
  credentialsComplete,
  counts,
}: Looked & Pick<AccessDriftScan, "counts">) =>
  (coverage !== "listing" || complete) &&
  credentialsComplete !== false &&
  counts.unanswered === 0 &&
  counts.unknown === 0;

type Looked = Pick<AccessDriftScan, "coverage" | "complete" | "credentialsComplete" | "kinds">;

const FOLLOWS: Readonly<Record<Phase, Phase | null>> = {
  grants: "counting",
  counting: "missing",
  missing: "confirming",
  asking: "records",
  confirming: "records",
  records: "credentials",
  credentials: "resolving",
  resolving: null,
};

/** The first phase of a scan. */
export const firstPhase = (coverage: Coverage): Phase =>
  coverage === "listing" ? "grants" : coverage === "verify" ? "asking" : "records";

/** The phase after another one; `null` after the last. An incomplete listing says nothing about what it lacks. */
export function phaseAfter(
  phase: Phase,
  { complete, kinds }: Pick<AccessDriftScan, "complete" | "kinds">,
): Phase | null {
  if ((phase === "grants" || phase === "counting") && !complete) return "confirming";
  const isListed = kinds.includes("unknown_credential");
  return phase === "records" && !isListed ? FOLLOWS.credentials : FOLLOWS[phase];
}
