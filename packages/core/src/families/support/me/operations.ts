import { tenants } from "#families/platform/index.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery } from "#kernel/operation/page.js";
import { tableOf } from "#kernel/operation/table.js";
import { z } from "#schema/z.js";
import { may, shared } from "../actions/rules.js";

const Me = z
  .object({
    id: z.string().meta({ description: "Id of the user." }),
    username: z.string().meta({ description: "The e-mail address of the user." }),
    roles: z.array(z.string()).meta({ description: "Names of roles." }),
    permissions: z.array(z.string()).meta({ description: "Permissions that the roles give." }),
    tenant: z
      .object({
        id: z.string().meta({ description: "Id of the tenant." }),
        name: z.string().meta({ description: "Name of the tenant." }),
        subdomain: z.string().meta({ description: "Subdomain of the tenant." }),
      })
      .meta({ description: "The provider's own tenant." }),
    operations: z
      .array(z.string())
      .meta({ description: "Ids of the support operations that this principal may call." }),
  })
  .meta({ id: "ProviderPrincipal" });

export const readMe = defineOperation({
  ...shared,
  id: "support.me",
  method: "GET",
  path: "/api/v1/support/me",
  summary: "Tell who the provider's principal is and what it may do",
  access: may("read"),
  query: PageQuery,
  success: { status: 200, schema: Me },
  async handler(ctx) {
    const { userId, username, roles, permissions, tenantId } = ctx.principal;
    const { id, name, subdomain } = await ctx.getOrThrow(tenants, tenantId);
    const allowed = ctx.env
      .use(tableOf)
      .operations.filter(
        ({ access }) => typeof access === "object" && access.provider && permissions.has(access.permission),
      );
    return {
      id: userId,
      username,
      roles: [...roles],
      permissions: [...permissions].sort(),
      tenant: { id, name, subdomain },
      operations: allowed.map((operation) => operation.id),
    };
  },
});
