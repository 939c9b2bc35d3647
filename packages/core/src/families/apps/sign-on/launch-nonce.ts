import { createHash, randomBytes } from "node:crypto";
import type { Environment } from "#kernel/config/environment.js";
import { notFound } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import type { Row } from "#store/row.js";
import { type Nonce, samlNonces } from "./schema.js";

const LIFE = minutesMs(1);
/** 256 random bits. Nothing else at the root has two segments of this shape. */
export const NONCE = /^[A-Za-z0-9_-]{43}$/;

const hashOf = (nonce: string) => createHash("sha256").update(nonce).digest("hex");

/** Stores a nonce for one sign-on of the caller. */
export async function issueNonce(
  ctx: Context,
  appId: string,
  relayState: string | null,
): Promise<{ readonly nonce: string; readonly expiresAt: string }> {
  const nonce = randomBytes(32).toString("base64url");
  const expiresAt = timestamp(ctx.request.nowMs + LIFE);
  const { userId, authenticatedAt = null, authenticatedBy = null, tokenId = null } = ctx.principal;
  const { securityVersion = null } = ctx.principal;
  const asked = { appId, userId, relayState, authenticatedAt, authenticatedBy, tokenId, securityVersion };
  await ctx.insert(samlNonces, { id: hashOf(nonce), expiresAt, ...asked });
  return { nonce, expiresAt };
}

/** An unused nonce for this application, of any tenant; `undefined` for none. */
export async function nonceFor(env: Environment, nonce: string, appId: string): Promise<Row<Nonce> | undefined> {
  const row = NONCE.test(nonce) ? await env.store.platform.get(samlNonces, hashOf(nonce)) : undefined;
  const isGood = row && row.value.appId === appId && row.value.expiresAt > timestamp(env.clock.now());
  return isGood ? row : undefined;
}

/** Uses up a nonce, within the transaction. 404 when somebody else was faster. */
export async function useNonce(ctx: Context, { id }: Pick<Nonce, "id">): Promise<void> {
  const held = await ctx.db.get(samlNonces, id);
  if (!held) throw notFound();
  await ctx.remove(samlNonces, held.value);
}
