import type { Tenant } from "../tenants/schema.js";
import { TENANT_SETTING_DEFAULTS } from "./fields.js";

/** The settings in force of a tenant: its own, and defaults for the rest. */
export function tenantSettingsOf({ settings }: Pick<Tenant, "settings">) {
  return { ...TENANT_SETTING_DEFAULTS, ...settings };
}
