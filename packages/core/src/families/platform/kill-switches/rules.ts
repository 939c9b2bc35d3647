import { TARGETED_SWITCHES } from "./schema.js";

type Prefix = keyof typeof TARGETED_SWITCHES;

/** What the kill switch of one tenant or of one asset concerns. */
export interface SwitchTarget {
  /** The part of the key before the id. */
  readonly prefix: Prefix;
  readonly kind: "tenant" | "asset";
  readonly id: string;
}

/** The key of the kill switch for all AI assets of a tenant. */
export const switchOfTenant = (tenantId: string): string => `ai.tenant.${tenantId}`;

/** The key of the kill switch for one asset. */
export const switchOfAsset = (assetId: string): string => `ai.asset.${assetId}`;

/** What a key names beside its kind of switch. `undefined` for a switch of a whole kind, and for a key of none. */
export function switchTarget(key: string): SwitchTarget | undefined {
  const prefix = (Object.keys(TARGETED_SWITCHES) as Prefix[]).find((one) => key.startsWith(one));
  if (!prefix) return undefined;
  return { prefix, kind: prefix === "ai.tenant." ? "tenant" : "asset", id: key.slice(prefix.length) };
}

/** Why something is stopped by a kill switch, as tenants see it: without the id of their tenant. */
export function switchReason(key: string): string {
  return `kill_switch:${switchTarget(key)?.kind === "tenant" ? "ai.tenant" : key}`;
}
