import { createHash, randomBytes } from "node:crypto";
import { PLATFORM_TENANT } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import type { OpenidAttempt } from "#ports/openid.js";
import { StoreError } from "#store/store-error.js";
import { usedAssertions } from "../../grants/prove/used-assertions.js";
import { cookieHeader, cookieIn } from "../../sessions/browser/cookies.js";

const CONTEXT = "openid sign-in";
const NAME = "reeve_openid";
/** How long somebody may take at the provider, in milliseconds. */
const LIFETIME = minutesMs(10);

export const CALLBACK_PATH = "/api/v1/auth/openid/callback";

/** A sign-in on its way, as the cookie of its browser holds it. */
export interface KeptAttempt extends OpenidAttempt {
  readonly provider: string;
  /** Where the browser goes at the end. */
  readonly place: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const random = () => randomBytes(32).toString("base64url");

export function newAttempt(ctx: ReadContext, provider: string, place: string): KeptAttempt {
  const redirectUri = `${ctx.env.options.baseUrl}${CALLBACK_PATH}`;
  const secrets = { state: random(), nonce: random(), verifier: random() };
  return { provider, place, redirectUri, ...secrets, expiresAt: ctx.request.nowMs + LIFETIME };
}

/**
 * The header that has the browser keep an attempt, sealed: nobody reads or makes one. The way back from the provider is a
 * navigation from another site, so that it is sent with those.
 */
export function attemptCookie({ env }: ReadContext, attempt: KeptAttempt): string {
  const value = env.secretBox.seal(JSON.stringify(attempt), CONTEXT);
  return cookieHeader(env.options, NAME, { value, seconds: LIFETIME / 1_000, sameSite: "Lax" });
}

/** The header that makes the browser forget its attempt. */
export function attemptEnded({ options }: Pick<Environment, "options">): string {
  return cookieHeader(options, NAME, { value: "", seconds: 0, sameSite: "Lax" });
}

/** The attempt of this browser with this state. `undefined` where there is none, or it took too long. */
export function keptAttempt(ctx: ReadContext, state: string | undefined): KeptAttempt | undefined {
  const sealed = cookieIn(ctx.request.cookie ?? "", ctx.env.options, NAME);
  const text = sealed === undefined ? undefined : ctx.env.secretBox.open(sealed, CONTEXT);
  const attempt = text === undefined ? undefined : (JSON.parse(text) as KeptAttempt);
  return attempt?.state === state && attempt && attempt.expiresAt > ctx.request.nowMs ? attempt : undefined;
}

/** Uses an attempt up. `false` when it was used before: of two at once only one counts. */
export async function useAttempt({ env }: ReadContext, { state, expiresAt }: KeptAttempt): Promise<boolean> {
  const used = { id: createHash("sha256").update(`openid\n${state}`).digest("hex"), expiresAt: timestamp(expiresAt) };
  try {
    await systemContext(env, PLATFORM_TENANT, "openid").write((inner) => inner.insert(usedAssertions, used));
    return true;
  } catch (error) {
    if (StoreError.is(error) && error.code === "duplicate") return false;
    throw error;
  }
}
