import { prefetchClients, requireScopes, roles } from "#families/identity/index.js";
import type { Context } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { isSame } from "#kernel/records/is-same.js";
import { defineRecordKind } from "../records/declare/kind.js";
import { followIdentity, identityReferences } from "./client-standing.js";
import { identityStatus } from "./machine.js";
import { addedScopes, changesBearer, checkScopes } from "./rules.js";
import { IDENTITY_DEFAULTS, type Identity, IdentityFields, identities } from "./schema.js";

/** AI identities as the typed records of assets of type `identity`. */
export const identityKind = defineRecordKind<Identity, IdentityFields>({
  assetType: "identity",
  permission: "ai-identity",
  capability: "identity_foundation",
  collection: identities,
  status: { machine: identityStatus },
  fields: IdentityFields,
  defaults: IDENTITY_DEFAULTS,
  references: identityReferences,
  check(ctx, { fields }, before) {
    const { scopes } = fields;
    if (scopes) {
      checkScopes(ctx.env.use(roles), scopes);
      requireScopes(ctx.principal, addedScopes(before?.scopes ?? [], scopes));
    }
    checkBearer(ctx, before, fields);
  },
  prefetch: (ctx, _given, before) =>
    prefetchClients(
      ctx,
      before.map(({ id }) => id),
    ),
  unusable: ({ status }) => (status === "active" ? undefined : `identity_status:${status}`),
  material: (before, after) => [
    ...(addedScopes(before.scopes, after.scopes).length > 0 ? ["scopes"] : []),
    ...(isSame(before.registrations, after.registrations) ? [] : ["registrations"]),
  ],
  follow: followIdentity,
  async retire(ctx, identity) {
    if (identity.status !== "active" && identity.status !== "expired") return identity;
    const options = { triggeredBy: "policy", reason: "Its asset was retired." } as const;
    return ctx.transition(identities, identityStatus, identity, { event: "disable" }, options);
  },
});

/**
 * 403 unless the caller may say who acts as an identity with scopes, because that is as good as a credential of it. So is
 * a scope more where tokens of an issuer act as it.
 */
function checkBearer(ctx: Context, before: Identity | undefined, given: Partial<IdentityFields>): void {
  const { scopes, issuer, subject } = { ...IDENTITY_DEFAULTS, ...before, ...given };
  if (scopes.length === 0) return;
  const isOther = before !== undefined && changesBearer(before, given);
  const isMore = issuer !== null && subject !== null && addedScopes(before?.scopes ?? [], scopes).length > 0;
  if (isOther || isMore) requirePermission(ctx.env, ctx.principal, "ai-identity:credential");
  if (isOther) requireScopes(ctx.principal, scopes);
}
