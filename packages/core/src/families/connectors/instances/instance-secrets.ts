import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { vault } from "#kernel/operation/vault/vault.js";
import { type InstanceSecrets, instanceSecrets } from "./secret-schema.js";

export type SecretValues = Readonly<Record<string, string>>;

/** Secrets in plain text, with the row that they were read from. */
export interface OpenedSecrets {
  readonly values: SecretValues;
  readonly row: InstanceSecrets | undefined;
}

/** Secrets sealed for a row, to be stored over the revision that they were made from. */
export interface SealedSecrets {
  readonly id: string;
  readonly sealedValues: string;
  /** 0 for a row that is not stored yet. */
  readonly over: number;
}

const placeOf = (tenantId: string, id: string) =>
  ({ tenantId, collection: instanceSecrets.name, id, field: "sealedValues" }) as const;

/** The secrets of an instance in plain text. Outside of transactions only. */
export async function openSecrets(env: Environment, tenantId: string, instanceId: string): Promise<OpenedSecrets> {
  const found = await env.store.forTenant(tenantId).lookup(instanceSecrets, "instance", { instanceId });
  if (!found) return { values: {}, row: undefined };
  const row = found.value;
  const text = await env.use(vault).open(placeOf(tenantId, row.id), row.sealedValues);
  return { values: JSON.parse(text) as SecretValues, row };
}

/** Seals secrets before the transaction that stores them. */
export async function sealSecrets(
  ctx: ReadContext,
  values: SecretValues,
  row: InstanceSecrets | undefined,
): Promise<SealedSecrets> {
  const id = row?.id ?? ctx.newId("cis");
  const sealedValues = await ctx.env.use(vault).seal(placeOf(ctx.db.tenantId, id), JSON.stringify(values));
  return { id, sealedValues, over: row?.revision ?? 0 };
}

/** Stores sealed secrets within the transaction. 409 when others have changed them since they were read. */
export async function storeSecrets(
  ctx: Context,
  instanceId: string,
  { id, sealedValues, over }: SealedSecrets,
): Promise<void> {
  const held = (await ctx.db.lookup(instanceSecrets, "instance", { instanceId }))?.value;
  if ((held?.revision ?? 0) !== over) throw new ReeveError("concurrent_modification", "Its secrets have changed.");
  const revision = over + 1;
  if (held) await ctx.update(instanceSecrets, held, { sealedValues, revision });
  else await ctx.insert(instanceSecrets, { id, instanceId, sealedValues, revision, leasedBy: null, leasedUntil: null });
}

/** Deletes the secrets of an instance for good. */
export async function dropSecrets(ctx: Context, instanceId: string): Promise<void> {
  const held = await ctx.db.lookup(instanceSecrets, "instance", { instanceId });
  if (held) await ctx.remove(instanceSecrets, held.value);
}
