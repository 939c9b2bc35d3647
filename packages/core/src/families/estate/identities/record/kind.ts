import type { Context } from "../../../../kernel/operation/context.js";
import { requirePermission } from "../../../../kernel/operation/permission.js";
import { prefetchClients, requireScopes, roles } from "../../../identity/index.js";
import { defineRecordKind } from "../../records/declare/kind.js";
import { followIdentity, identityReferences } from "../client/standing.js";
import { identityStatus } from "../machine.js";
import { addedScopes, changesBearer, checkScopes } from "../rules.js";
import { IDENTITY_DEFAULTS, type Identity, IdentityFields, identities } from "../schema.js";

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
    if (before) checkBearer(ctx, before, fields);
    const { scopes } = fields;
    if (!scopes) return;
    checkScopes(ctx.env.use(roles), scopes);
    requireScopes(ctx.principal, addedScopes(before?.scopes ?? [], scopes));
  },
  prefetch: (ctx, _given, before) =>
    prefetchClients(
      ctx,
      before.map(({ id }) => id),
    ),
  unusable: ({ status }) => (status === "active" ? undefined : `identity_status:${status}`),
  material: (before, after) => (addedScopes(before.scopes, after.scopes).length > 0 ? ["scopes"] : []),
  follow: followIdentity,
  async retire(ctx, identity) {
    if (identity.status !== "active" && identity.status !== "expired") return identity;
    const options = { triggeredBy: "policy", reason: "Its asset was retired." } as const;
    return ctx.transition(identities, identityStatus, identity, { event: "disable" }, options);
  },
});

/**
 * 403 unless the caller may change who acts as an identity with scopes, because that is as good as a credential of it.
 */
function checkBearer(ctx: Context, before: Identity, given: Partial<IdentityFields>): void {
  const scopes = given.scopes ?? before.scopes;
  if (scopes.length === 0 || !changesBearer(before, given)) return;
  requirePermission(ctx.env, ctx.principal, "ai-identity:credential");
  requireScopes(ctx.principal, scopes);
}
