import { ReeveError } from "../../../kernel/errors.js";
import { defineOperation } from "../../../kernel/operation.js";
import { type Principal, systemPrincipal } from "../../../kernel/principal.js";
import { capabilityEntitlement, entitlements, type Tenant, tenants } from "../../platform/index.js";
import { addUser } from "../users/operations.js";
import { checkPassword } from "../users/rules.js";
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
    const { registration, baseUrl, defaultCapabilities, passwordMinLength } = ctx.env.options;
    if (registration !== "open") throw new ReeveError("registration_closed");
    if (body.subdomain && isReserved(body.subdomain))
      throw new ReeveError("already_exists", "This subdomain is reserved.");
    checkPassword(body.password, [body.username, body.organization, body.name ?? ""], passwordMinLength);
    const passwordHash = await ctx.env.hasher.hash(body.password);
    const tenantId = ctx.newId("tnt");
    const subdomain = body.subdomain ?? subdomainFrom(body.organization, tenantId.slice(-6).toLowerCase());
    const userId = await ctx.write(async (inner) => {
      const { id: _minted, version, ...marks } = inner.stamp(tenants);
      const tenant: Tenant = {
        id: tenantId,
        name: body.organization,
        status: "active",
        version,
        metadata: {},
        ...marks,
        subdomain,
      };
      await inner.insert(tenants, tenant);
      await inner.tx.insertMany(
        entitlements,
        defaultCapabilities.map((key) => capabilityEntitlement(key, inner.now)),
      );
      const owner = await addUser(inner, { username: body.username, name: body.name, roles: ["owner"], passwordHash });
      return owner.id;
    }, founder(tenantId));
    return {
      id: tenantId,
      tenantId,
      userId,
      subdomain,
      tenantUrl: tenantUrl(baseUrl, subdomain),
      status: "active" as const,
    };
  },
});

/** Registration acts before there is a user. */
function founder(tenantId: string): Principal {
  return { ...systemPrincipal(tenantId), username: "registration" };
}
