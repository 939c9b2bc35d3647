import type { Reader } from "#store/store.js";
import { type Entitlement, entitlements, isInForce, tenants } from "../platform/index.js";

/** What operations require of those who use applications. */
export const MAY_USE = { permission: "app:use", capability: "identity_foundation" } as const;

/** What operations require of those who look after applications. */
export const may = (verb: "read" | "write" | "assign") =>
  ({ permission: `saml-app:${verb}`, capability: "identity_foundation" }) as const;

/** Why nobody of a tenant uses applications now; `undefined` while they may. */
export async function closedBecause(
  reader: Reader,
  nowMs: number,
): Promise<"tenant_suspended" | "capability_not_licensed" | undefined> {
  const tenant = await reader.get(tenants, reader.tenantId);
  if (tenant?.value.status !== "active") return "tenant_suspended";
  const licence = await licenceIn(reader);
  return licence && isInForce(licence, nowMs) ? undefined : "capability_not_licensed";
}

/** The licence of a tenant to use applications. */
export async function licenceIn(reader: Reader): Promise<Entitlement | undefined> {
  return (await reader.get(entitlements, `capability:${MAY_USE.capability}`))?.value;
}
