import { andThen, type MaybePromise } from "#kernel/async/maybe-promise.js";
import type { Environment } from "#kernel/config/environment.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Reader } from "#store/store.js";
import { settings as providers } from "../settings/queries.js";
import { type Bounded, TENANT_SETTING_DEFAULTS, type TenantSettingValues } from "../tenants/fields.js";
import { type Tenant, tenants } from "../tenants/schema.js";
import { bounded } from "./rules.js";

/** The settings in force of a tenant: its own, and defaults for the rest. */
export function tenantSettingsOf({ settings }: Pick<Tenant, "settings">) {
  return { ...TENANT_SETTING_DEFAULTS, ...settings };
}

/** The settings in force of the caller's tenant, without a query. */
export function tenantSettings({ request }: ReadContext) {
  return tenantSettingsOf({ settings: request.tenant?.settings ?? {} });
}

/** The settings in force of a tenant that the provider bounds, from what the tenant has set. */
export function boundedSettingsOf(
  env: Environment,
  own: Partial<TenantSettingValues>,
): Pick<TenantSettingValues, Bounded> {
  return bounded(own, providersOwn(env));
}

/** The provider's values of the settings that it bounds. */
export function providersOwn(env: Environment): Pick<TenantSettingValues, Bounded> {
  const provider = env.use(providers);
  return {
    slaDays: provider.get("findings.slaDays"),
    loggedFields: provider.get("decisions.loggedFields"),
    decisionDefault: provider.get("decisions.default"),
    approvalMinutes: provider.get("decisions.approvalMinutes"),
    evaluationDays: provider.get("compliance.evaluationDays"),
    secondFactor: provider.get("signIn.secondFactor"),
    stepUpMinutes: provider.get("signIn.stepUpMinutes"),
  };
}

/** As `boundedSettingsOf`, for the tenant of a context. A job reads the tenant; a request has it already. */
export function boundedSettings(ctx: ReadContext): MaybePromise<Pick<TenantSettingValues, Bounded>> {
  const tenant = ctx.request.tenant ?? ctx.db.get(tenants, ctx.db.tenantId).then((row) => row?.value);
  return andThen<Pick<Tenant, "settings"> | undefined, Pick<TenantSettingValues, Bounded>>(tenant, (known) =>
    boundedSettingsOf(ctx.env, (known?.settings ?? {}) as Partial<TenantSettingValues>),
  );
}

/** Which access of the tenant of a context is given notice because it is not used; `null` for none. */
export async function unusedAccessSetting(ctx: { readonly db: Reader }): Promise<TenantSettingValues["unusedAccess"]> {
  const row = await ctx.db.get(tenants, ctx.db.tenantId);
  return (row?.value.settings as Partial<TenantSettingValues> | undefined)?.unusedAccess ?? null;
}
