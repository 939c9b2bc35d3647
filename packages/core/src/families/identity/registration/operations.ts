import type { z } from "zod";
import { refuseReserved, settings, tenantHosts, tenantUrl } from "#families/platform/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { attempt } from "../attempts/limit/gate.js";
import type { AddressProof } from "../one-time-codes/schema.js";
import { isProofGone, needProof, type Target, useProof } from "../one-time-codes/verify-codes.js";
import { addUser } from "../users/operations.js";
import { checkPassword } from "../users/rules.js";
import { createTenant } from "./create-tenant.js";
import { subdomainFrom } from "./rules.js";
import { Register, Registered } from "./schema.js";

export const register = defineOperation({
  id: "registration.register",
  method: "POST",
  path: "/api/v1/register",
  tag: "Registration",
  summary: "Create a tenant and its owner",
  description:
    "Where registration asks for verified e-mail, `verificationToken` must come from `POST /api/v1/email/verify-otp` for this user name and " +
    "the purpose `registration`; founding the tenant uses it up. One that is sent is checked wherever it is.",
  access: "public",
  body: Register,
  success: { status: 201, schema: Registered },
  errors: [
    "registration_closed",
    "invalid_otp",
    "already_exists",
    "password_rejected",
    "too_many_attempts",
    "overloaded",
  ],
  effect: "own",
  killSwitches: ["registration"],
  async handler(ctx, { body }) {
    const inForce = ctx.env.use(settings);
    const policy = inForce.get("registration.policy");
    if (policy === "closed") throw new ReeveError("registration_closed");
    if ((await ctx.env.use(tenantHosts).tenantOf(ctx.request.host)) !== undefined)
      throw new ReeveError(
        "registration_closed",
        "New tenants register at the base host, not at the host of a tenant.",
      );
    if (body.subdomain) refuseReserved(body.subdomain);
    checkPassword(
      body.password,
      [body.username, body.organization, body.name ?? ""],
      inForce.get("passwords.minLength"),
    );
    const proving = policy === "verified_email" || body.verificationToken !== undefined;
    const proof = proving ? await provenAddress(ctx, body) : undefined;
    const passwordHash = await ctx.env.hasher.hash(body.password);
    const tenantId = ctx.newId("tnt");
    const subdomain = body.subdomain ?? subdomainFrom(body.organization, tenantId.slice(-6).toLowerCase());
    const founding = { tenantId, name: body.organization, subdomain };
    const owner = await createTenant(ctx, founding, async (inner) => {
      if (proof) await useProof(inner, proof);
      return addUser(inner, { username: body.username, name: body.name, passwordHash, roles: ["owner"] });
    }).catch((error: unknown) => {
      throw proof && isProofGone(error) ? new ReeveError("invalid_otp", undefined, { cause: error }) : error;
    });
    return {
      id: tenantId,
      tenantId,
      userId: owner.id,
      subdomain,
      tenantUrl: tenantUrl(ctx.env.options.baseUrl, subdomain),
      status: "active" as const,
    };
  },
});

/** The proof that the user name is the caller's address. Storing the tenant uses it up. */
async function provenAddress(ctx: ReadContext, body: z.output<typeof Register>): Promise<AddressProof> {
  const target: Target = { email: body.username, purpose: "registration" };
  const subject = { username: body.username, within: undefined };
  return attempt(ctx, subject, () => needProof(ctx, target, body.verificationToken ?? ""));
}
