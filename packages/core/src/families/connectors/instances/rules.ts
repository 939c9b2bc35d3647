import { tenantSettings } from "#families/platform/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** Whether the tenant lets a connector be used. */
export function isEnabled(ctx: ReadContext, providerKey: string): boolean {
  return !tenantSettings(ctx).disabledConnectors.includes(providerKey);
}
