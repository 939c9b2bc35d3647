import {
  type ClientCredential,
  clientCredentials,
  issueCredential,
  needCredential,
  OVERLAP_SECONDS,
  requireScopes,
  revokeCredential,
  rotateCredential,
  shownCredential,
} from "#families/identity/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { Page } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { standingOf } from "./client-standing.js";
import {
  Credential,
  CredentialRequest,
  CredentialRotation,
  IssuedCredential,
  RotatedCredential,
} from "./credential-schema.js";
import { identityStatus } from "./machine.js";
import { hasCredentialsHere } from "./rules.js";
import { type Identity, identities } from "./schema.js";

const PATH = "/api/v1/ai/identities/{id}/credentials";
const shared = { tag: "AI Identities", extension: true } as const;
const access = { permission: "ai-identity:credential", capability: "identity_foundation" } as const;
const OfIdentity = ById.extend({ credentialId: z.string().meta({ description: "Id of the credential." }) });

export const listCredentials = defineOperation({
  ...shared,
  id: "aiIdentities.listCredentials",
  method: "GET",
  path: PATH,
  summary: "List the credentials of an AI identity without their secrets",
  access: { ...access, permission: "ai-identity:read" },
  params: ById,
  query: listQuery({ ...clientCredentials, filters: {} }),
  success: { status: 200, schema: pageOf(Credential) },
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(identities, params.id);
    const { items, ...page } = await ctx.page(clientCredentials, query, { where: { identityId: id } });
    const shown = (JSON.parse(items) as ClientCredential[]).map((item) => shownCredential(item, ctx.now));
    return new Page(JSON.stringify(shown), page.page, page.size, page.total, page.nextCursor);
  },
});

export const createCredential = defineOperation({
  ...shared,
  id: "aiIdentities.issueCredential",
  method: "POST",
  path: PATH,
  summary: "Issue a credential to an AI identity and show its secret this once",
  description:
    "The identity must be active and of kind `service_principal`, `workload` or `oauth_client`. The caller must hold every scope of the identity.",
  access,
  secret: true,
  params: ById,
  body: CredentialRequest.optional(),
  success: { status: 201, schema: IssuedCredential },
  errors: ["invalid_transition", "limit_exceeded"],
  async handler(ctx, { params, body = {} }) {
    const identity = await workingIdentity(ctx, params.id);
    const { credential, clientSecret } = await issueCredential(ctx, identity.id, body, identity.credentialExpiresAt);
    await pointTo(ctx, identity, credential.id);
    await ctx.emit({
      type: "identity.credential_issued",
      ...about(identity, { credentialId: credential.id, expiresAt: credential.expiresAt }),
    });
    return answerOf(credential, clientSecret);
  },
});

export const rotateIdentityCredential = defineOperation({
  ...shared,
  id: "aiIdentities.rotateCredential",
  method: "POST",
  path: `${PATH}/{credentialId}/rotate`,
  summary: "Put a new credential in the place of one, which works on for the overlap",
  access,
  secret: true,
  params: OfIdentity,
  body: CredentialRotation.optional(),
  success: { status: 201, schema: RotatedCredential },
  errors: ["invalid_transition", "limit_exceeded"],
  async handler(ctx, { params, body = {} }) {
    const identity = await workingIdentity(ctx, params.id);
    const old = await needCredential(ctx, identity.id, params.credentialId);
    const wish = { ...body, overlapSeconds: body.overlapSeconds ?? OVERLAP_SECONDS.default };
    const { credential, clientSecret, replaced } = await rotateCredential(ctx, old, wish, identity.credentialExpiresAt);
    await pointTo(ctx, identity, credential.id);
    const replaces = { id: old.id, expiresAt: replaced.expiresAt };
    await ctx.emit({
      type: "identity.credential_rotated",
      ...about(identity, { credentialId: credential.id, replaces }),
    });
    return { ...answerOf(credential, clientSecret), replaces };
  },
});

export const revokeIdentityCredential = defineOperation({
  ...shared,
  id: "aiIdentities.revokeCredential",
  method: "DELETE",
  path: `${PATH}/{credentialId}`,
  summary: "Revoke a credential at once, and with it every token of the identity",
  access,
  params: OfIdentity,
  success: { status: 204 },
  async handler(ctx, { params }) {
    const identity = await ctx.getForUpdate(identities, params.id);
    const credential = await needCredential(ctx, identity.id, params.credentialId);
    await revokeCredential(ctx, credential);
    if (identity.credentialRef === credential.id) await ctx.update(identities, identity, { credentialRef: null });
    await ctx.emit({ type: "identity.credential_revoked", ...about(identity, { credentialId: credential.id }) });
    return undefined;
  },
});

/** The identity, if this caller may give it a credential. Throws otherwise. */
async function workingIdentity(ctx: Context, id: string): Promise<Identity> {
  const identity = await ctx.getForUpdate(identities, id);
  requireScopes(ctx.principal, identity.scopes);
  if (!hasCredentialsHere(identity))
    throw new ReeveError("invalid_request", `An identity of kind "${identity.kind}" has its credentials elsewhere.`);
  if (standingOf(identity).allowed) return identity;
  const current = identity.blockedBy ?? identity.status;
  throw transitionRefused(`The identity can have no credential now (${current}).`, {
    machine: identityStatus,
    current: identity.status,
  });
}

async function pointTo(ctx: Context, identity: Identity, credentialRef: string): Promise<void> {
  await ctx.update(identities, identity, { credentialRef, credentialIssuedAt: ctx.now });
}

function answerOf({ id, identityId, expiresAt }: ClientCredential, clientSecret: string | undefined) {
  return { id, clientId: identityId, ...(clientSecret === undefined ? {} : { clientSecret }), expiresAt };
}

function about({ id, name, assetId }: Identity, facts: object) {
  const subject = { id, type: "ai_identity", path: `/api/v1/ai/identities/${id}` };
  return { subject, data: { entity: { type: "ai_identity", id, name }, ...facts }, related: [assetId] };
}
