import type { ReadContext } from "../../../kernel/operation/read-context.js";
import type { Tenant } from "../tenants/schema.js";
import { TENANT_SETTING_DEFAULTS } from "./fields.js";

/** The settings in force of a tenant: its own, and defaults for the rest. */
export function tenantSettingsOf({ settings }: Pick<Tenant, "settings">) {
  return { ...TENANT_SETTING_DEFAULTS, ...settings };
}

/** The settings in force of the caller's tenant, without a query. */
export function tenantSettings({ request }: ReadContext) {
  return tenantSettingsOf({ settings: request.tenant?.settings ?? {} });
}
