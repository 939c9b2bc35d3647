import { optionsOf } from "#families/options.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { canonical } from "#kernel/events/canonical.js";
import { systemContext } from "#kernel/operation/system-context.js";
import type { Reader } from "#store/store.js";
import type { TimeStamp } from "#time-stamps/index.js";
import { checkpoints, type StoredCheckpoint } from "../schema.js";
import { ignoreStale, postponedFrom } from "./postpone.js";
import { newestCheckpoint } from "./stored.js";

const TIMEOUT = 10_000;
/** An answer holds some certificates, of a few kilobytes together. */
const BYTES = 65_536;

/** How long nothing more is asked of an authority that has failed, so that it does not hold up each tenant in turn. */
const REST = 30_000;
const rest = defineService("activity.authorityRest", () => ({ until: 0 }));

/** When the newest checkpoint is to be stamped; `null` where it is, or none is to be. */
export async function stampDue(env: Environment, reader: Reader): Promise<string | null> {
  if (optionsOf(env).timestampUrl === undefined) return null;
  const newest = await newestCheckpoint(reader);
  return newest?.timeStamp === null ? newest.nextStampAt : null;
}

/**
 * Has the newest checkpoint stamped by the authority, and returns how many it stamped. One is enough, because it vouches
 * for all before it. A failure is retried with growing pauses, until another checkpoint is the newest.
 */
export async function stampNewest(env: Environment, tenantId: string, now: string): Promise<number> {
  const { timestampUrl } = optionsOf(env);
  const ctx = systemContext(env, tenantId, "tick");
  const due = await stampDue(env, ctx.db);
  if (timestampUrl === undefined || due === null || due > now || isResting(env)) return 0;
  const newest = (await newestCheckpoint(ctx.db)) as StoredCheckpoint;
  const { timeStamp, failure } = await askFor(env, timestampUrl, newest);
  if (failure !== undefined) env.logger.warn({ checkpoint: newest.id, failure }, "stamping a checkpoint failed");
  const { attempts: stampAttempts, next: nextStampAt } = postponedFrom(newest.stampAttempts, now);
  const settled: Partial<StoredCheckpoint> = timeStamp ? { timeStamp } : { stampAttempts, nextStampAt };
  // Another process may have had it stamped at the same time.
  await ctx.write((inner) => inner.update(checkpoints, newest, settled)).catch(ignoreStale);
  return timeStamp ? 1 : 0;
}

const isResting = (env: Environment): boolean => env.clock.now() < env.use(rest).until;

type Outcome =
  | { readonly timeStamp: TimeStamp; readonly failure?: undefined }
  | { readonly timeStamp?: undefined; readonly failure: string };

/** Asks for a time stamp. A failure says why without quoting the authority, which may be anybody. */
async function askFor(env: Environment, url: string, { checkpoint }: StoredCheckpoint): Promise<Outcome> {
  try {
    // What reads and writes ASN.1 is loaded when the first time stamp is asked for.
    const { readReply, stampRequest } = await import("#time-stamps/index.js");
    const request = stampRequest(canonical(checkpoint));
    const { status, body } = await env.egress.request({
      ...{ url, method: "POST", body: request.body, timeoutMs: TIMEOUT, maxBytes: BYTES },
      headers: { "content-type": "application/timestamp-query", accept: "application/timestamp-reply" },
    });
    if (status !== 200) throw new Error(`the authority answers with ${status}`);
    return { timeStamp: await readReply(body, request) };
  } catch (error) {
    env.use(rest).until = env.clock.now() + REST;
    return { failure: String(error instanceof Error ? error.message : error) };
  }
}
