import { inChunks } from "../../../../kernel/async/in-chunks.js";
import type { Context } from "../../../../kernel/operation/context.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { clientCredentials, type MachineClient, machineClients } from "../schema.js";

/** What the owner of the identities says of one as a principal. */
export type ClientStanding = Pick<MachineClient, "scopes" | "allowed" | "expiresAt" | "issuer" | "subject">;

/** Reads the clients of these identities, for many changes at once. */
export async function prefetchClients(ctx: ReadContext, identityIds: readonly string[]): Promise<void> {
  await inChunks(identityIds, (some) => ctx.db.getMany(machineClients, some));
}

/** Makes an identity a machine client, in the open transaction. */
export async function openClient(ctx: Context, identityId: string, standing: ClientStanding): Promise<void> {
  await ctx.insert(machineClients, { id: identityId, ...standing, securityVersion: 1 });
}

/** Brings a client in line with its identity. One that is no longer allowed loses every token. */
export async function alignClient(ctx: Context, identityId: string, standing: ClientStanding): Promise<void> {
  const previous = await clientOf(ctx, identityId);
  const { scopes, allowed, expiresAt, issuer, subject } = previous;
  if (JSON.stringify({ scopes, allowed, expiresAt, issuer, subject }) === JSON.stringify(standing)) return;
  await replaceClient(ctx, previous, standing, allowed && !standing.allowed);
}

/** Takes a client and its credentials out, in the open transaction. */
export async function closeClient(ctx: Context, identityId: string): Promise<void> {
  await removeCredentials(ctx, identityId);
  await ctx.remove(machineClients, await clientOf(ctx, identityId));
}

/** Ends every credential of an identity at once, and every token of its client. */
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

/** Kills every token of a client. */
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
