import { users } from "#families/identity/index.js";
import { tenants } from "#families/platform/index.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { reviewPage } from "../reviews/queries.js";
import type { Review } from "../reviews/schema.js";

const Count = z.object({
  count: z.int().min(0).meta({ description: "How many records wait." }),
  relation: z.enum(["exact", "atLeast"]).meta({ description: "Whether there may be more." }),
});

const Me = z
  .object({
    id: z.string().meta({ description: "Id of the user, or of the AI identity." }),
    kind: z.enum(["user", "client", "system"]).meta({ description: "A person, a machine, or Reeve itself." }),
    username: z.string().meta({ description: "E-mail address, or client id." }),
    name: z.string().nullable().meta({ description: "Name of the user, where Reeve has the account." }),
    roles: z.array(z.string()).meta({ description: "Names of roles." }),
    permissions: z.array(z.string()).meta({ description: "What the roles permit." }),
    tenant: z
      .object({
        id: z.string().meta({ description: "Id of the tenant." }),
        name: z.string().meta({ description: "Name of the tenant." }),
        subdomain: z.string().meta({ description: "Subdomain of the tenant." }),
      })
      .meta({ description: "The caller's tenant." }),
    reviews: z
      .object({
        waiting: Count.meta({ description: "What the caller is to decide." }),
        overdue: Count.meta({ description: "What of it is overdue." }),
        href: z.string().meta({ description: "Where it is listed." }),
      })
      .nullable()
      .meta({ description: "What waits for the caller; `null` for those who may not see it." }),
  })
  .meta({ id: "Me" });

const HREF = "/api/v1/reviews?mine=true&sort=dueAt";

export const readMe = defineOperation({
  id: "me.read",
  agents: "explain",
  method: "GET",
  path: "/api/v1/me",
  tag: "Reviews",
  summary: "Tell who the caller is, what the caller may do, and what waits for the caller",
  extension: true,
  access: "signed-in",
  success: { status: 200, schema: Me },
  async handler(ctx) {
    const { userId, kind, username, roles, permissions, tenantId } = ctx.principal;
    const { id, name, subdomain } = await ctx.getOrThrow(tenants, tenantId);
    const user = kind === "user" ? await ctx.db.get(users, userId) : undefined;
    return {
      id: userId,
      kind,
      username,
      name: user?.value.name ?? null,
      roles: [...roles],
      permissions: [...permissions].sort(),
      tenant: { id, name, subdomain },
      reviews: permissions.has("review:read") ? await waitingFor(ctx) : null,
    };
  },
});

async function waitingFor(ctx: ReadContext) {
  const count = async (...status: Review["status"][]): Promise<z.output<typeof Count>> => {
    const { total } = await reviewPage(ctx, { mine: true, status, size: 1 });
    return { count: total.count, relation: total.exact ? "exact" : "atLeast" };
  };
  return { waiting: await count("waiting", "overdue"), overdue: await count("overdue"), href: HREF };
}
