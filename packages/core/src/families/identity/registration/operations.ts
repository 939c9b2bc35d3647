import { ReeveError } from "../../../kernel/errors.js";
import { defineOperation } from "../../../kernel/operation.js";
import { checkPassword } from "../users/rules.js";
import { foundTenant } from "./found-tenant.js";
import { isReserved, subdomainFrom, tenantUrl } from "./rules.js";
import { Register, Registered } from "./schema.js";

export const register = defineOperation({
  id: "registration.register",
  method: "POST",
  path: "/api/v1/register",
  tag: "Registration",
  summary: "Create a tenant and its owner",
  access: "public",
  body: Register,
  success: { status: 201, schema: Registered },
  errors: ["registration_closed", "already_exists", "password_rejected", "overloaded"],
  effect: "own",
  killSwitches: ["registration"],
  async handler(ctx, { body }) {
    const { registration, baseUrl, passwordMinLength } = ctx.env.options;
    if (registration !== "open") throw new ReeveError("registration_closed");
    if (body.subdomain && isReserved(body.subdomain))
      throw new ReeveError("already_exists", "This subdomain is reserved.");
    checkPassword(body.password, [body.username, body.organization, body.name ?? ""], passwordMinLength);
    const passwordHash = await ctx.env.hasher.hash(body.password);
    const tenantId = ctx.newId("tnt");
    const subdomain = body.subdomain ?? subdomainFrom(body.organization, tenantId.slice(-6).toLowerCase());
    const owner = await foundTenant(ctx, {
      tenantId,
      name: body.organization,
      subdomain,
      owner: { username: body.username, name: body.name, passwordHash },
    });
    return {
      id: tenantId,
      tenantId,
      userId: owner.id,
      subdomain,
      tenantUrl: tenantUrl(baseUrl, subdomain),
      status: "active" as const,
    };
  },
});
