import type { Principal } from "../../config/principal.js";
import type { BucketName } from "../../config/rate-limits.js";
import { networkOf } from "../../http/network.js";
import { effectOf, type Operation } from "../../operation/operation.js";

/** These buckets refuse while the store does not answer. The others go on counting in each process. */
export const STRICT: ReadonlySet<BucketName> = new Set(["credential", "expensive"]);

/** A tenant id for the quotas of peer addresses. No real tenant has it. */
const PEERS = "peers";

/** The buckets that one request counts against, each with its key. */
export interface Spending {
  readonly tenantId: string;
  readonly keys: readonly (readonly [bucket: BucketName, key: string])[];
}

export function spendingOf(
  operation: Operation,
  principal: Principal | undefined,
  remoteAddress: string | undefined,
): Spending {
  const extra = extraBucket(operation);
  const usual = principal ? spendingOfPrincipal(principal) : spendingOfPeer(remoteAddress);
  const key = principal?.userId ?? networkOf(remoteAddress ?? "unknown");
  return extra ? { ...usual, keys: [...usual.keys, [extra, key]] } : usual;
}

/** What a request of nobody known counts against. */
export function spendingOfPeer(remoteAddress: string | undefined): Spending {
  return { tenantId: PEERS, keys: [["address", networkOf(remoteAddress ?? "unknown")]] };
}

function spendingOfPrincipal({ tenantId, userId }: Principal): Spending {
  return {
    tenantId,
    keys: [
      ["tenant", tenantId],
      ["principal", userId],
    ],
  };
}

/**
 * The bucket beside the usual ones. Writes without a bearer token take a credential or create a tenant, so they use the
 * stricter one.
 */
function extraBucket(operation: Operation): "credential" | "expensive" | undefined {
  if (operation.access !== "public") return operation.expensive ? "expensive" : undefined;
  return effectOf(operation) === "read" ? undefined : "credential";
}
