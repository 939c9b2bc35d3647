import { recordCredential } from "#families/accountability/index.js";
import { invalidProperty, notFound, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { cutClient } from "./client-standing.js";
import { hashSecret, newSecret } from "./rules.js";
import { type ClientCredential, clientCredentials } from "./schema.js";

/** Days until a credential expires, by default and at most. */
export const CREDENTIAL_DAYS = { default: 90, most: 366 } as const;
/** Seconds that the old credential works after a rotation, by default and at most. */
export const OVERLAP_SECONDS = { default: 86_400, most: 30 * 86_400 } as const;
/** The most current credentials of one identity, and the most rotated ones that still work. */
export const CREDENTIALS_MOST = 10;

/** A request for a new credential. Without a key it is a secret. */
export interface CredentialSpec {
  readonly name?: string | undefined;
  readonly publicJwk?: Readonly<Record<string, string>> | undefined;
  readonly expiresAt?: string | undefined;
}

/** A new credential with its secret, which is not stored. */
export interface IssuedCredential {
  readonly credential: ClientCredential;
  readonly clientSecret: string | undefined;
}

/** Stores a new credential, within the transaction. It expires at `latest` or before. 403 when there are too many. */
export async function issueCredential(
  ctx: Context,
  identityId: string,
  wish: CredentialSpec,
  latest: string | null,
): Promise<IssuedCredential> {
  const live = await liveCredentials(ctx, identityId);
  if (live.length >= CREDENTIALS_MOST)
    throw new ReeveError(
      "limit_exceeded",
      `An identity has at most ${CREDENTIALS_MOST} credentials; revoke one first.`,
    );
  return storeCredential(ctx, identityId, wish, latest);
}

/**
 * Replaces a credential, which works for another `overlapSeconds`. With 0 it stops at once and every token of the
 * client is revoked. 409 when it was already replaced or has expired.
 */
export async function rotateCredential(
  ctx: Context,
  old: ClientCredential,
  wish: CredentialSpec & { readonly overlapSeconds: number },
  latest: string | null,
): Promise<IssuedCredential & { readonly replaced: ClientCredential }> {
  if (old.replacedBy !== null || old.expiresAt <= ctx.now)
    throw transitionRefused("The credential has been replaced or has expired; issue a new one.", {
      current: old.replacedBy === null ? "expired" : "replaced",
    });
  const superseded = (await liveCredentials(ctx, old.identityId)).filter(({ replacedBy }) => replacedBy !== null);
  if (superseded.length >= CREDENTIALS_MOST)
    throw new ReeveError(
      "limit_exceeded",
      `At most ${CREDENTIALS_MOST} replaced credentials work on; revoke one of them first.`,
    );
  const issued = await storeCredential(ctx, old.identityId, { ...wish, name: wish.name ?? old.name }, latest);
  const end = timestamp(ctx.request.nowMs + wish.overlapSeconds * 1_000);
  const expiresAt = earliest(end, old.expiresAt);
  const replaced = await ctx.update(clientCredentials, old, { expiresAt, replacedBy: issued.credential.id });
  if (wish.overlapSeconds === 0) await cutClient(ctx, old.identityId);
  return { ...issued, replaced };
}

/** Deletes a credential and revokes every token of the client. */
export async function revokeCredential(ctx: Context, credential: ClientCredential): Promise<void> {
  await ctx.remove(clientCredentials, credential);
  await cutClient(ctx, credential.identityId);
}

/** A credential of this identity. 404 when there is none, or it is another identity's. */
export async function needCredential(ctx: Context, identityId: string, id: string): Promise<ClientCredential> {
  const credential = await ctx.getOrThrow(clientCredentials, id);
  if (credential.identityId !== identityId) throw notFound();
  return credential;
}

async function liveCredentials(ctx: Context, identityId: string): Promise<ClientCredential[]> {
  const { rows } = await ctx.db.find(clientCredentials, { where: { identityId }, size: 1_000 });
  return rows.map(({ value }) => value).filter(({ expiresAt }) => expiresAt > ctx.now);
}

async function storeCredential(
  ctx: Context,
  identityId: string,
  wish: CredentialSpec,
  latest: string | null,
): Promise<IssuedCredential> {
  const clientSecret = wish.publicJwk ? undefined : newSecret();
  const { id, version, createdAt, createdBy } = ctx.stamp(clientCredentials);
  const credential: ClientCredential = {
    id,
    version,
    createdAt,
    createdBy,
    identityId,
    name: wish.name ?? `credential ${id.slice(-6).toLowerCase()}`,
    secretHash: clientSecret === undefined ? null : hashSecret(clientSecret),
    publicJwk: wish.publicJwk ?? null,
    expiresAt: expiryFor(ctx, wish.expiresAt, latest),
    lastUsedAt: null,
    replacedBy: null,
  };
  await ctx.insert(clientCredentials, credential);
  await recordCredential(ctx, identityId);
  return { credential, clientSecret };
}

function expiryFor(ctx: Context, asked: string | undefined, latest: string | null): string {
  const after = (days: number) => timestamp(ctx.request.nowMs + daysMs(days));
  const most = earliest(after(CREDENTIAL_DAYS.most), latest ?? after(CREDENTIAL_DAYS.most));
  if (asked === undefined) return earliest(after(CREDENTIAL_DAYS.default), most);
  if (asked > ctx.now && asked <= most) return asked;
  throw invalidProperty("/expiresAt", `Must lie in the future and not after ${most}.`);
}

/** The earliest of times in stored form. */
function earliest(...times: readonly string[]): string {
  return [...times].sort()[0] as string;
}
