import { prefetchClients, requireScopes, roles } from "../../../identity/index.js";
import { refuseSecrets } from "../../records/declare/free-secrets.js";
import { defineRecordKind } from "../../records/declare/kind.js";
import { followIdentity, identityReferences } from "../client/standing.js";
import { identityStatus } from "../machine.js";
import { addedScopes, checkScopes } from "../rules.js";
import { IDENTITY_DEFAULTS, type Identity, IdentityFields, identities } from "../schema.js";

/** AI identities as the typed records of assets of type `identity`. */
export const identityKind = defineRecordKind<Identity, IdentityFields>({
  assetType: "identity",
  collection: identities,
  status: { machine: identityStatus },
  fields: IdentityFields,
  defaults: IDENTITY_DEFAULTS,
  references: identityReferences,
  check(ctx, { fields: { scopes }, free }, before) {
    refuseSecrets(free, "An identity holds no secrets; name the place of the credential in `credentialRef`.");
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
