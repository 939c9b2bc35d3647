import { defineOperation } from "../../../kernel/operation/operation.js";
import { mergePatch } from "../../../kernel/records/generic-body.js";
import { type Tenant, tenants } from "../tenants/schema.js";
import { tenantSettingsOf } from "./queries.js";
import { TenantSettings, TenantSettingsPatch } from "./schema.js";

const shared = { tag: "Platform", path: "/api/v1/tenant/settings", extension: true } as const;

function shown(tenant: Tenant): TenantSettings {
  const { id, version, createdAt, updatedAt } = tenant;
  return { id, version, createdAt, updatedAt, ...tenantSettingsOf(tenant) };
}

export const readTenantSettings = defineOperation({
  ...shared,
  id: "tenantSettings.read",
  method: "GET",
  summary: "Read the settings of the tenant",
  access: { permission: "tenant-settings:read" },
  success: { status: 200, schema: TenantSettings },
  handler: async (ctx) => shown(await ctx.getOrThrow(tenants, ctx.principal.tenantId)),
});

export const patchTenantSettings = defineOperation({
  ...shared,
  id: "tenantSettings.patch",
  method: "PATCH",
  summary: "Change settings of the tenant",
  description:
    "`null` takes a setting back to its default. In force at once in this process, within five seconds in others.",
  access: { permission: "tenant-settings:write" },
  body: TenantSettingsPatch,
  success: { status: 200, schema: TenantSettings },
  errors: ["precondition_failed"],
  async handler(ctx, { body: { reason, ...given } }) {
    const tenant = await ctx.getForUpdate(tenants, ctx.principal.tenantId);
    const settings = mergePatch(tenant.settings, given) as Tenant["settings"];
    return shown(await ctx.update(tenants, tenant, { settings }, { reason }));
  },
});
