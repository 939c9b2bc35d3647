import { randomBytes } from "node:crypto";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { vault } from "#kernel/operation/vault/vault.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { type WebhookSecret, webhookSecrets } from "./schema.js";

/** Between 24 and 64 bytes, by the Standard Webhooks specification, which also names the prefix. */
const SECRET_BYTES = 32;
const PREFIX = "whsec_";
/** How long the secret before signs as well. */
const OVERLAP = hoursMs(24);

/** A new secret with the row that will hold it, sealed before the transaction that stores it. */
export interface SealedWebhookSecret {
  readonly secret: string;
  readonly id: string;
  readonly sealedSecrets: string;
  /** Version of the row that it was made from; 0 for a new one. */
  readonly over: number;
}

const placeOf = (tenantId: string, id: string) =>
  ({ tenantId, collection: webhookSecrets.name, id, field: "sealedSecrets" }) as const;

/** Makes a secret for a webhook. That of before is kept beside it. */
export async function newSecret(ctx: ReadContext, webhookId?: string): Promise<SealedWebhookSecret> {
  const secret = PREFIX + randomBytes(SECRET_BYTES).toString("base64");
  const held = webhookId === undefined ? undefined : await heldOf(ctx, webhookId);
  const { tenantId } = ctx.db;
  const before = held ? (await opened(ctx.env, tenantId, held)).slice(0, 1) : [];
  const id = held?.id ?? ctx.newId("whs");
  const sealedSecrets = await ctx.env.use(vault).seal(placeOf(tenantId, id), JSON.stringify([secret, ...before]));
  return { secret, id, sealedSecrets, over: held?.version ?? 0 };
}

/** Stores a sealed secret. Returns until when the one before signs too. 409 when somebody has stored another meanwhile. */
export async function storeSecret(ctx: Context, webhookId: string, sealed: SealedWebhookSecret): Promise<string> {
  const held = await heldOf(ctx, webhookId);
  if ((held?.version ?? 0) !== sealed.over) throw new ReeveError("concurrent_modification");
  const overlapEndsAt = timestamp(ctx.request.nowMs + OVERLAP);
  const { id, sealedSecrets } = sealed;
  if (held) await ctx.update(webhookSecrets, held, { sealedSecrets, overlapEndsAt });
  else await ctx.insert(webhookSecrets, { id, webhookId, sealedSecrets, overlapEndsAt: null });
  return overlapEndsAt;
}

/** The keys that sign messages now. Outside of transactions only. */
export async function signingKeys(env: Environment, tenantId: string, webhookId: string): Promise<readonly Buffer[]> {
  const held = (await env.store.forTenant(tenantId).lookup(webhookSecrets, "webhook", { webhookId }))?.value;
  if (!held) throw new ReeveError("secret_unavailable");
  const secrets = await opened(env, tenantId, held);
  const isOver = held.overlapEndsAt === null || held.overlapEndsAt <= timestamp(env.clock.now());
  return secrets.slice(0, isOver ? 1 : undefined).map((secret) => Buffer.from(secret.slice(PREFIX.length), "base64"));
}

/** Deletes the secrets of a webhook for good. */
export async function dropSecrets(ctx: Context, webhookId: string): Promise<void> {
  const held = await heldOf(ctx, webhookId);
  if (held) await ctx.remove(webhookSecrets, held);
}

const heldOf = async ({ db }: ReadContext, webhookId: string) =>
  (await db.lookup(webhookSecrets, "webhook", { webhookId }))?.value;

async function opened(env: Environment, tenantId: string, { id, sealedSecrets }: WebhookSecret): Promise<string[]> {
  return JSON.parse(await env.use(vault).open(placeOf(tenantId, id), sealedSecrets)) as string[];
}
