import { ReeveError } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { mergePatch } from "#kernel/records/generic-body.js";
import { BOUNDED } from "../tenants/fields.js";
import { type Tenant, tenants } from "../tenants/schema.js";
import { boundedSettingsOf, providersOwn, tenantSettingsOf } from "./queries.js";
import { looserThan } from "./rules.js";
import { TenantSettings, TenantSettingsPatch } from "./schema.js";

const shared = { tag: "Platform", path: "/api/v1/tenant/settings", extension: true } as const;

function shown({ env }: ReadContext, tenant: Tenant): TenantSettings {
  const { id, version, createdAt, updatedAt, settings = {} } = tenant;
  return { id, version, createdAt, updatedAt, ...tenantSettingsOf(tenant), ...boundedSettingsOf(env, settings) };
}

export const readTenantSettings = defineOperation({
  ...shared,
  id: "tenantSettings.read",
  method: "GET",
  summary: "Read the settings of the tenant",
  access: { permission: "tenant-settings:read" },
  success: { status: 200, schema: TenantSettings },
  handler: async (ctx) => shown(ctx, await ctx.getOrThrow(tenants, ctx.principal.tenantId)),
});

export const patchTenantSettings = defineOperation({
  ...shared,
  id: "tenantSettings.patch",
  method: "PATCH",
  summary: "Change settings of the tenant",
  description:
    "`null` takes a setting back to its default, which is the provider's for most; no tenant is looser than its provider. In force at once in this process, within five seconds in others.",
  access: { permission: "tenant-settings:write" },
  body: TenantSettingsPatch,
  success: { status: 200, schema: TenantSettings },
  errors: ["precondition_failed"],
  async handler(ctx, { body: { reason, ...given } }) {
    const tenant = await ctx.getForUpdate(tenants, ctx.principal.tenantId);
    const settings = mergePatch(tenant.settings, given) as Tenant["settings"];
    refuseLooser(ctx, given);
    return shown(ctx, await ctx.update(tenants, tenant, { settings }, { reason }));
  },
});

/** 400 for what is looser than the provider's own setting. */
function refuseLooser({ env }: ReadContext, given: object): void {
  const own = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const errors = looserThan(own, providersOwn(env)).map((name) => ({
    pointer: `/${name}`,
    code: "out_of_bounds",
    message: `The provider's setting \`${BOUNDED[name]}\` allows no looser one.`,
  }));
  if (errors.length > 0) throw new ReeveError("invalid_request", "Some settings are out of bounds.", { errors });
}
