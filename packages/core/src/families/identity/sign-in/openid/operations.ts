import { defineService, type Environment } from "#kernel/config/environment.js";
import { notFound, ReeveError } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { OpenidFlow, OpenidProvider } from "#ports/openid.js";
import { z } from "#schema/z.js";
import { sessionCookie } from "../../sessions/browser/session-cookie.js";
import { startBrowserSession } from "../../sessions/browser/start-session.js";
import { acceptPerson, wantedClaims } from "./accept-person.js";
import {
  attemptCookie,
  attemptEnded,
  CALLBACK_PATH,
  type KeptAttempt,
  keptAttempt,
  newAttempt,
  useAttempt,
} from "./keep-attempt.js";
import { navigated, placeWithin, type RefusalCode, refusedPlace, sentOn } from "./send-browser.js";

const shared = {
  tag: "Authentication",
  extension: true,
  method: "GET",
  access: "public",
  dialect: navigated,
  openQuery: true,
  killSwitches: ["signin"],
  success: { status: 303 },
} as const;

const flowOf = defineService<OpenidFlow>("identity.openid", (env) => engineOf(env).connect(env));

/** The engine of OpenID sign-in. 501 without one. */
function engineOf({ openid }: Pick<Environment, "openid">) {
  if (!openid) throw new ReeveError("not_configured", "The option `openid` is not set.");
  return openid;
}

function providerNamed(env: Environment, name: string): OpenidProvider {
  const provider = engineOf(env).providers.find((one) => one.name === name);
  if (!provider) throw notFound();
  return provider;
}

export const startOpenidSignIn = defineOperation({
  ...shared,
  id: "openid.start",
  path: "/api/v1/auth/openid/{provider}/start",
  summary: "Send a browser to an OpenID provider to sign in",
  description:
    "For a link on a page of Reeve; from a page of another origin it leads to the console. The way back is `/api/v1/auth/openid/callback` below `baseUrl`, which is to be registered at the provider.",
  params: z.object({ provider: z.string().max(40).meta({ description: "Name of the provider.", example: "acme" }) }),
  query: z.strictObject({
    return: z
      .string()
      .max(1_000)
      .optional()
      .meta({ description: "Path within the console to come back to.", example: "inbox" }),
    again: z
      .enum(["true"])
      .optional()
      .meta({ description: "Has the provider ask the person anew, so that the proof is a fresh one." }),
  }),
  errors: ["not_found", "not_configured"],
  async handler(ctx, { params, query }) {
    const { name } = providerNamed(ctx.env, params.provider);
    const { baseUrl } = ctx.env.options;
    const place = placeWithin(baseUrl, query.return);
    if (ctx.request.fromElsewhere) return sentOn(place);
    const attempt = newAttempt(ctx, name, place);
    const begun = await ctx.env.use(flowOf).begin(name, attempt, query.again !== undefined);
    if ("refused" in begun) return refuse(ctx, name, begun.refused, begun.reason);
    return sentOn(begun.url, attemptCookie(ctx, attempt));
  },
});

export const finishOpenidSignIn = defineOperation({
  ...shared,
  id: "openid.callback",
  path: CALLBACK_PATH,
  summary: "Sign in a browser that comes back from an OpenID provider",
  description:
    "It counts once, for the browser that set out. The answer sets the cookie of a browser session and leads into the console, or to the sign-in page with the reason in `refused`.",
  query: z.strictObject({
    state: z.string().max(200).optional().meta({ description: "The state that the browser was sent out with." }),
    code: z.string().max(4_096).optional().meta({ description: "The code of the provider." }),
  }),
  errors: ["not_configured", "storage_unavailable"],
  effect: "own",
  proof: "nonce",
  secret: true,
  async handler(ctx, { query }) {
    const attempt = keptAttempt(ctx, query.state);
    const provider = attempt && engineOf(ctx.env).providers.find(({ name }) => name === attempt.provider);
    if (!attempt || !provider) return refuse(ctx, "any", "expired", "the browser has no such sign-in on its way");
    if (!(await useAttempt(ctx, attempt))) return refuse(ctx, provider.name, "expired", "the state was used before");
    return arrive(ctx, provider, attempt);
  },
});

async function arrive(ctx: OutsideContext, provider: OpenidProvider, attempt: KeptAttempt) {
  const { name } = provider;
  const flow = ctx.env.use(flowOf);
  const answer = await flow.finish(name, attempt, ctx.request.query ?? "", wantedClaims(ctx, provider));
  if ("refused" in answer) return refuse(ctx, name, answer.refused, answer.reason);
  try {
    const person = await acceptPerson(ctx, provider, answer);
    if (typeof person === "string") return refuse(ctx, name, person, "the tenant does not admit this sign-in");
    const { secret, seconds } = await startBrowserSession(ctx, person);
    return sentOn(attempt.place, sessionCookie(ctx.env.options, secret, seconds));
  } catch (error) {
    if (!ReeveError.is(error)) throw error;
    if (error.code === "issuer_unavailable") return refuse(ctx, name, "unreachable", error.message);
    if (error.status === 401) return refuse(ctx, name, "unknown", error.message);
    throw error;
  }
}

/** Sends the browser to the sign-in page. The log has the reason; the page says its code in words. */
function refuse(ctx: ReadContext, provider: string, code: RefusalCode, reason: string) {
  ctx.env.logger.warn({ provider, refused: code, reason }, "an OpenID sign-in was refused");
  return sentOn(refusedPlace(ctx.env.options.baseUrl, code), attemptEnded(ctx.env));
}
