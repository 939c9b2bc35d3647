import { optionsOf } from "#families/options.js";
import { PLATFORM_TENANT, STATE_LIFETIME } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { DueState } from "#kernel/operation/dues.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import type { Reader } from "#store/store.js";
import { StoreError } from "#store/store-error.js";
import { keyRing } from "../key-ring.js";
import { MAX_TOKEN_LIFE, TOKEN_LEEWAY } from "../rules.js";
import { type SigningKey, signingKeys } from "../schema.js";
import { makeKey } from "./make-key.js";

const KEYS = 100;
/** How long a key is published before it may sign, so that every process has read it. */
const KNOWN_AFTER = 2 * STATE_LIFETIME;

/** Options of a rotation. */
export interface Rotation {
  /** `false`: keys of before stop verifying at once, and every sign-in ends. For leaked keys. */
  readonly overlap?: boolean;
}

/**
 * Makes the next key sign, and creates the one after it. The old key verifies until its last token has expired. 409
 * `transition_guard_failed` while other processes may not know the next key yet, unless there is no overlap. Without
 * one, keys that retire are removed too. Sign-ins go on until `endSignIns` ends them.
 */
export async function rotateSigningKey(env: Environment, { overlap = true }: Rotation = {}): Promise<{ kid: string }> {
  await env.use(keyRing).current();
  const fresh = await makeKey(env, "next");
  const kid = await systemContext(env, PLATFORM_TENANT, "req").write(async (ctx) => {
    const { nowMs } = ctx.request;
    const keys = await storedKeys(ctx.db);
    const [active, next] = [keyIn(keys, "active"), keyIn(keys, "next")];
    if (overlap && !isKnown(next, nowMs)) throw new ReeveError("transition_guard_failed", "The next key is too new.");
    if (overlap) await ctx.update(signingKeys, active, { status: "retiring", retiresAt: retirementAt(nowMs) });
    else for (const key of keys) if (key.id !== next.id) await ctx.remove(signingKeys, key);
    await ctx.update(signingKeys, next, { status: "active", activatedAt: ctx.now });
    await ctx.insert(signingKeys, fresh);
    await ctx.emit({
      type: "signing_key.rotated",
      subject: { id: next.id, type: "signing_key", path: "/.well-known/jwks.json" },
      data: { entity: { type: "signing_key", id: next.id }, previous: active.id, overlap },
    });
    return next.id;
  });
  return { kid };
}

/**
 * Rotates by age or after a change of algorithm, and deletes keys that no longer verify anything. Returns how many
 * steps it took.
 */
export async function keepKeys(env: Environment, tenantId: string, now: string): Promise<number> {
  if (tenantId !== PLATFORM_TENANT) return 0;
  const keys = await storedKeys(env.store.forTenant(PLATFORM_TENANT));
  if (keys.length === 0) return 0;
  let done = 0;
  for (const key of keys) {
    if (key.retiresAt !== null && key.retiresAt <= now) done += await unlessBeaten(() => removeKey(env, key));
  }
  const [active, next] = [keyIn(keys, "active"), keyIn(keys, "next")];
  const age = Date.parse(now) - Date.parse(active.activatedAt ?? active.createdAt);
  const { signingAlgorithm, signingKeyDays } = optionsOf(env);
  if (next.alg !== signingAlgorithm) done += await unlessBeaten(() => replaceNext(env, next));
  else if ((active.alg !== signingAlgorithm || age >= daysMs(signingKeyDays)) && isKnown(next, env.clock.now()))
    done += await unlessBeaten(() => rotateSigningKey(env));
  return done;
}

/** When `keepKeys` has something to do. */
export const keysDue: DueState = {
  watches: [signingKeys],
  async next(env, reader, now) {
    const keys = await storedKeys(reader);
    if (keys.length === 0) return null;
    const [active, next] = [keyIn(keys, "active"), keyIn(keys, "next")];
    const { signingAlgorithm, signingKeyDays } = optionsOf(env);
    const retiring = keys.flatMap(({ retiresAt }) => retiresAt ?? []);
    if (next.alg !== signingAlgorithm) return now;
    const known = Date.parse(next.createdAt) + KNOWN_AFTER;
    const old = Date.parse(active.activatedAt ?? active.createdAt) + daysMs(signingKeyDays);
    const rotation = timestamp(active.alg === signingAlgorithm ? Math.max(known, old) : known);
    return [...retiring, rotation].sort()[0] ?? null;
  },
};

/** Runs `work`. Returns 0 when another process did it at the same time. */
async function unlessBeaten(work: () => Promise<unknown>): Promise<number> {
  try {
    await work();
    return 1;
  } catch (error) {
    const beaten =
      (StoreError.is(error) && (error.code === "stale" || error.code === "duplicate")) ||
      (ReeveError.is(error) && error.code === "transition_guard_failed");
    if (beaten) return 0;
    throw error;
  }
}

function removeKey(env: Environment, key: SigningKey): Promise<void> {
  return systemContext(env, PLATFORM_TENANT, "tick").write((ctx) => ctx.remove(signingKeys, key));
}

/** Removes all keys, so that no token from before verifies. The next that is needed is made anew. Returns how many. */
export function removeSigningKeys(env: Environment): Promise<number> {
  return systemContext(env, PLATFORM_TENANT, "restore").write(async (ctx) => {
    const keys = await storedKeys(ctx.db);
    for (const key of keys) await ctx.remove(signingKeys, key);
    return keys.length;
  });
}

/** A next key of another algorithm than configured has never signed, so it can be replaced. */
async function replaceNext(env: Environment, next: SigningKey): Promise<void> {
  const fresh = await makeKey(env, "next");
  await systemContext(env, PLATFORM_TENANT, "tick").write(async (ctx) => {
    await ctx.remove(signingKeys, next);
    await ctx.insert(signingKeys, fresh);
  });
}

async function storedKeys(reader: Reader): Promise<SigningKey[]> {
  return (await reader.scan(signingKeys, { size: KEYS })).map((row) => row.value);
}

function keyIn(keys: readonly SigningKey[], status: "next" | "active"): SigningKey {
  const key = keys.find((candidate) => candidate.status === status);
  if (!key) throw new Error(`there is no ${status} signing key`);
  return key;
}

function isKnown(next: SigningKey, nowMs: number): boolean {
  return nowMs - Date.parse(next.createdAt) >= KNOWN_AFTER;
}

/** When the last token that a key signed before now has expired. */
function retirementAt(nowMs: number): string {
  return timestamp(nowMs + (MAX_TOKEN_LIFE + 2 * TOKEN_LEEWAY) * 1_000);
}
