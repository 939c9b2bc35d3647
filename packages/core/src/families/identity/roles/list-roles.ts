import { defineOperation } from "#kernel/operation/operation.js";
import { z } from "#schema/z.js";
import { roles } from "./rules.js";

const Role = z
  .object({
    name: z.string().meta({ description: "Name of the role, as users have it." }),
    description: z.string().meta({ description: "What it is for." }),
    builtIn: z.boolean().meta({ description: "Whether every control plane has it. Others are the host's own." }),
    permissions: z.array(z.string()).meta({ description: "Names of the permissions that it gives." }),
  })
  .meta({ id: "Role" });

const Roles = z
  .object({
    items: z.array(Role).meta({ description: "The roles, built-in ones first." }),
    permissions: z
      .array(
        z.object({
          name: z.string().meta({ description: "Name of the permission." }),
          lets: z.string().meta({ description: "What it permits, in words." }),
          peopleOnly: z.boolean().meta({ description: "Whether no machine can be given it." }),
        }),
      )
      .meta({ description: "Every permission that one of these roles gives." }),
  })
  .meta({ id: "Roles" });

export const listRoles = defineOperation({
  id: "roles.list",
  method: "GET",
  path: "/api/v1/roles",
  tag: "Users",
  summary: "List the roles that users of the tenant can have, and what each permits",
  description: "`GET /api/v1/users?role=` lists who holds one.",
  extension: true,
  access: { permission: "user:read", capability: "identity_foundation" },
  success: { status: 200, schema: Roles },
  async handler(ctx) {
    const book = ctx.env.use(roles);
    const items = book.rolesOf(ctx.request.tenant?.provider === true);
    const given = [...new Set(items.flatMap(({ permissions }) => permissions))].sort();
    const permissions = given.map((name) => ({
      name,
      lets: book.permissions[name]?.lets ?? "",
      peopleOnly: book.humanOnly.has(name),
    }));
    return { items, permissions };
  },
});
