import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { vault } from "#kernel/operation/vault/vault.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const McpServerSecret = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  serverId: z.string(),
  sealedSecret: z.string(),
});
type McpServerSecret = z.output<typeof McpServerSecret>;

/** Credentials for MCP servers, apart from the records that the API serves. */
export const mcpServerSecrets = defineCollection<McpServerSecret>({
  name: "mcp_server_secrets",
  prefix: "mcs",
  schema: McpServerSecret,
  fields: { serverId: { type: "text", compare: "exact" } },
  unique: { server: ["serverId"] },
  sealed: ["sealedSecret"],
  secrets: [],
});

/** A secret sealed for a row that is not stored yet. */
export interface SealedSecret {
  readonly id: string;
  readonly sealedSecret: string;
}

const placeOf = (tenantId: string, id: string) =>
  ({ tenantId, collection: mcpServerSecrets.name, id, field: "sealedSecret" }) as const;

/** Seals a secret before the transaction that stores it. */
export async function sealSecret(ctx: ReadContext, secret: string): Promise<SealedSecret> {
  const id = ctx.newId("mcs");
  return { id, sealedSecret: await ctx.env.use(vault).seal(placeOf(ctx.principal.tenantId, id), secret) };
}

/** Replaces or removes the secret of a server, within the transaction. */
export async function storeSecret(ctx: Context, serverId: string, sealed: SealedSecret | undefined): Promise<void> {
  const old = await ctx.db.lookup(mcpServerSecrets, "server", { serverId });
  if (old) await ctx.remove(mcpServerSecrets, old.value);
  if (sealed) await ctx.insert(mcpServerSecrets, { ...sealed, serverId });
}

/** The secret of a server. `undefined` when it has none. Outside of transactions only. */
export async function openSecret(env: Environment, tenantId: string, serverId: string): Promise<string | undefined> {
  const row = await env.store.forTenant(tenantId).lookup(mcpServerSecrets, "server", { serverId });
  return row && env.use(vault).open(placeOf(tenantId, row.id), row.value.sealedSecret);
}

/** Deletes the secret of a deleted server. */
export async function dropSecret(
  ctx: Context,
  before: { readonly id: string } | undefined,
  after: object | undefined,
): Promise<void> {
  if (before && !after) await storeSecret(ctx, before.id, undefined);
}
