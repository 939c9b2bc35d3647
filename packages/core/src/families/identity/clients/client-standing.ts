import { inChunks } from "#kernel/async/in-chunks.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isSame } from "#kernel/records/is-same.js";
import { clientCredentials, type MachineClient, machineClients } from "./schema.js";

/** The fields of a client that its identity determines. */
export type ClientStanding = Pick<MachineClient, "scopes" | "allowed" | "expiresAt" | "issuer" | "subject">;

/** Prefetches the clients of these identities. */
export async function prefetchClients(ctx: ReadContext, identityIds: readonly string[]): Promise<void> {
  await inChunks(identityIds, (some) => ctx.db.getMany(machineClients, some));
}

/** Creates the machine client of an identity, within the transaction. */
export async function openClient(ctx: Context, identityId: string, standing: ClientStanding): Promise<void> {
  await ctx.insert(machineClients, { id: identityId, ...standing, securityVersion: 1 });
}

/** Updates a client from its identity. When it is no longer allowed, all its tokens are revoked. */
export async function alignClient(ctx: Context, identityId: string, standing: ClientStanding): Promise<void> {
  const previous = await clientOf(ctx, identityId);
  const { scopes, allowed, expiresAt, issuer, subject } = previous;
  if (isSame({ scopes, allowed, expiresAt, issuer, subject }, standing)) return;
  await replaceClient(ctx, previous, standing, allowed && !standing.allowed);
}

/** Deletes a client and its credentials, within the transaction. */
export async function closeClient(ctx: Context, identityId: string): Promise<void> {
  await removeCredentials(ctx, identityId);
  await ctx.remove(machineClients, await clientOf(ctx, identityId));
}

/** Deletes every credential of an identity and revokes every token of its client. */
export async function dropCredentials(ctx: Context, identityId: string): Promise<void> {
  await removeCredentials(ctx, identityId);
  await cutClient(ctx, identityId);
}

async function removeCredentials(ctx: Context, identityId: string): Promise<void> {
  for (;;) {
    const { rows } = await ctx.db.find(clientCredentials, { where: { identityId }, size: 1_000 });
    for (const row of rows) await ctx.remove(clientCredentials, row.value);
    if (rows.length < 1_000) return;
  }
}

/** Revokes every token of a client. */
export async function cutClient(ctx: Context, identityId: string): Promise<void> {
  await replaceClient(ctx, await clientOf(ctx, identityId), {}, true);
}

async function clientOf(ctx: Context, identityId: string): Promise<MachineClient> {
  const row = await ctx.db.get(machineClients, identityId);
  if (!row) throw new Error(`identity ${identityId} has no client record`);
  return row.value;
}

async function replaceClient(
  ctx: Context,
  previous: MachineClient,
  change: Partial<ClientStanding>,
  cut: boolean,
): Promise<void> {
  const securityVersion = previous.securityVersion + (cut ? 1 : 0);
  await ctx.update(machineClients, previous, { ...change, securityVersion });
}
