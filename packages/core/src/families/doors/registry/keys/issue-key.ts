import { randomBytes } from "node:crypto";
import { subjectOf } from "#kernel/events/record-events.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { Time } from "#kernel/records/record.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { registryKeyStatus } from "../machine.js";
import { RegistryKey, type RegistryKeyHash, registryKeyHashes, registryKeys } from "../schema.js";
import { hashOf, KEY_MARK } from "./key-form.js";

/** The most active keys of a tenant. */
const MOST_KEYS = 50;
/** The most hashes of one key that work at once. */
const MOST_HASHES = 5;
/** How long a key works after it was replaced. */
const OVERLAP = hoursMs(24);

const key = z.string().meta({ description: "The key. It is shown this once." });
const url = z.url().meta({ description: "The address of the registry with this key, as clients take it." });

export const RegistryKeyRequest = z
  .strictObject({ name: z.string().trim().min(1).max(200).meta({ description: "Who or what has it." }) })
  .meta({ id: "RegistryKeyRequest", example: { name: "Editors of the payments team" } });

export const IssuedRegistryKey = RegistryKey.extend({ key, url }).meta({ id: "IssuedRegistryKey" });
export const RotatedRegistryKey = z
  .object({ key, url, overlapEndsAt: Time.meta({ description: "Until when the one before works." }) })
  .meta({ id: "RotatedRegistryKey" });

/** Makes a key. 403 where the tenant has as many as it may. */
export async function issueKey(ctx: Context, name: string): Promise<z.output<typeof IssuedRegistryKey>> {
  const { count } = await ctx.db.count(registryKeys, { where: { status: "active" } });
  if (count >= MOST_KEYS) throw new ReeveError("limit_exceeded", `A tenant has ${MOST_KEYS} such keys at most.`);
  const record = await ctx.insert(registryKeys, {
    ...{ name, status: "active", metadata: {}, rotations: 0, rotatedAt: null },
  });
  return { ...record, ...(await addHash(ctx, record.id)) };
}

/** Replaces a key. The one before works for another day. */
export async function rotateKey(ctx: Context, id: string): Promise<z.output<typeof RotatedRegistryKey>> {
  const record = await ctx.getForUpdate(registryKeys, id);
  if (record.status !== "active") throw new ReeveError("invalid_transition", "A key that was revoked is not replaced.");
  const earlier = (await hashesOf(ctx, id)).filter(({ expiresAt }) => expiresAt === null || expiresAt > ctx.now);
  if (earlier.length >= MOST_HASHES) throw new ReeveError("limit_exceeded", "It was replaced too often within a day.");
  const overlapEndsAt = timestamp(ctx.request.nowMs + OVERLAP);
  for (const hash of earlier)
    if (hash.expiresAt === null)
      await ctx.update(registryKeyHashes, hash, { expiresAt: overlapEndsAt }, { event: false });
  const patch = { rotations: record.rotations + 1, rotatedAt: ctx.now };
  const { rotations } = await ctx.update(registryKeys, record, patch, { event: false });
  await ctx.emit({
    type: "registry_key.rotated",
    subject: subjectOf(registryKeys, id),
    data: { rotations, overlapEndsAt },
  });
  return { ...(await addHash(ctx, id)), overlapEndsAt };
}

/** Revokes a key for good. The next request with it finds no registry. */
export async function revokeKey(ctx: Context, id: string, reason: string | undefined): Promise<RegistryKey> {
  const record = await ctx.getForUpdate(registryKeys, id);
  if (record.status === "revoked") return record;
  for (const hash of await hashesOf(ctx, id)) await ctx.remove(registryKeyHashes, hash, { event: false });
  return ctx.transition(registryKeys, registryKeyStatus, record, { event: "revoke" }, { reason });
}

async function hashesOf(ctx: Context, keyId: string): Promise<RegistryKeyHash[]> {
  const { rows } = await ctx.db.find(registryKeyHashes, { where: { keyId }, size: 100 });
  return rows.map(({ value }) => value);
}

async function addHash(ctx: Context, keyId: string) {
  const secret = KEY_MARK + randomBytes(32).toString("base64url");
  const hash = { id: hashOf(ctx.env, secret), version: 1, createdAt: ctx.now, keyId, expiresAt: null };
  await ctx.insert(registryKeyHashes, hash, { event: false });
  return { key: secret, url: `${ctx.env.options.baseUrl}/registry/${secret}` };
}
