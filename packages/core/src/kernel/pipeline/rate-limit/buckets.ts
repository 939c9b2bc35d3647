import type { Principal } from "../../config/principal.js";
import type { BucketName } from "../../config/rate-limits.js";
import { networkOf } from "../../http/network.js";
import { effectOf, type Operation } from "../../operation/operation.js";

/** These buckets refuse while the store does not answer. The others go on counting in each process. */
export const STRICT: ReadonlySet<BucketName> = new Set(["credential", "expensive"]);

/** What is refused gives back what it took of this one. */
export const GIVEN_BACK: BucketName = "credential";

/** A tenant id for the quotas of peer addresses. No real tenant has it. */
const PEERS = "peers";

/** The buckets that one request counts against, each with its key. */
export interface Spending {
  readonly tenantId: string;
  readonly keys: readonly (readonly [bucket: BucketName, key: string])[];
}

/** What a request counts against before its work. Probes count against nothing: who watches a service must see it. */
export function spendingOf(
  operation: Operation,
  principal: Principal | undefined,
  remoteAddress: string | undefined,
): Spending {
  if (principal) return spendingOfPrincipal(operation, principal);
  const address = networkOf(remoteAddress ?? "unknown");
  if (operation.probe) return { tenantId: PEERS, keys: [] };
  return {
    tenantId: PEERS,
    keys: [isWrite(operation) ? ["credential", `${address} ${operation.id}`] : ["address", address]],
  };
}

/** Whether it is of a write without a bearer, whose refusal counts apart. */
export function isOfNobody({ tenantId, keys }: Spending): boolean {
  return tenantId === PEERS && keys.some(([bucket]) => bucket === GIVEN_BACK);
}

/** What a refusal of nobody known counts against, apart from all that succeeds. */
export function spendingOfRejected(remoteAddress: string | undefined): Spending {
  return { tenantId: PEERS, keys: [["rejected", networkOf(remoteAddress ?? "unknown")]] };
}

function spendingOfPrincipal(operation: Operation, { tenantId, userId }: Principal): Spending {
  const keys: Spending["keys"] = [
    ["tenant", tenantId],
    ["principal", userId],
  ];
  const extra = extraBucket(operation);
  return { tenantId, keys: extra ? [...keys, [extra, userId]] : keys };
}

/** Writes without a bearer take a credential or create a tenant, so they have a stricter bucket. */
const isWrite = (operation: Operation) => operation.access === "public" && effectOf(operation) !== "read";

function extraBucket(operation: Operation): "credential" | "expensive" | undefined {
  if (operation.access !== "public") return operation.expensive ? "expensive" : undefined;
  return isWrite(operation) ? "credential" : undefined;
}
