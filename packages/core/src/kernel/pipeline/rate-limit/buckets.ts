import type { Principal } from "../../config/principal.js";
import type { BucketName } from "../../config/rate-limits.js";
import { networkOf } from "../../http/network.js";
import { effectOf, type Operation } from "../../operation/operation.js";

/** These refuse when the store does not answer. The others go on in each process. */
export const STRICT: ReadonlySet<BucketName> = new Set(["credential", "expensive"]);

/** Quotas of peers are kept under this name, which no tenant bears. */
const PEERS = "peers";

/** What one request is counted against: buckets with whose they are. */
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
  const tenantId = principal?.tenantId ?? PEERS;
  const key = principal?.userId ?? networkOf(remoteAddress ?? "unknown");
  const usual: Spending["keys"] = principal
    ? [
        ["tenant", tenantId],
        ["principal", key],
      ]
    : [["address", key]];
  return { tenantId, keys: extra ? [...usual, [extra, key]] : usual };
}

/** The bucket beside the usual ones. Writes without a bearer take a credential or make a tenant, so they are counted as such. */
function extraBucket(operation: Operation): "credential" | "expensive" | undefined {
  if (operation.access !== "public") return operation.expensive ? "expensive" : undefined;
  return effectOf(operation) === "read" ? undefined : "credential";
}
