import type { Row } from "#store/row.js";
import type { Reader } from "#store/store.js";
import { defineService, type Environment } from "../config/environment.js";
import { ReeveError } from "../http/errors.js";
import type { Context } from "../operation/context.js";
import { effectOf, mayReadReplica, type Operation } from "../operation/operation.js";
import { OutsideContext } from "../operation/outside-context.js";
import { ReadContext, type RequestFacts } from "../operation/read-context.js";
import { transact } from "../operation/transact.js";
import { unitOf } from "../operation/unit-access.js";
import { located } from "../records/generic-body.js";
import { namingHolder, type Wanted } from "../records/key-holder.js";
import type { Answer } from "./encode.js";
import type { Execution } from "./execution.js";
import type { Hints } from "./hints.js";
import { type IdempotentRequest, idempotencyKeys, type KeptAnswer, keptAnswer, replayable } from "./idempotency.js";
import type { ParsedInput } from "./input.js";

/** Idempotent requests that are running in this process. */
const inFlight = defineService("kernel.inFlight", () => new Set<string>());

/** Runs the handler. A read goes straight to the store; a write runs in one transaction that also keeps its answer. */
export async function execute<T>(
  env: Environment,
  execution: Execution,
  input: ParsedInput,
  encode: (result: unknown) => T,
  hints?: Hints,
): Promise<T> {
  const { operation, principal } = execution;
  const facts = factsWith(execution.facts, input.body);
  try {
    const effect = effectOf(operation);
    if (effect === "write") return await write(env, { ...execution, facts }, input, encode, hints);
    const read = async (source: Reader | undefined) => {
      const ctx = new (effect === "own" ? OutsideContext : ReadContext)(env, facts, principal, source);
      const prepared = operation.prepare && (await operation.prepare(ctx, input));
      return encode(await operation.handler(ctx, input, prepared));
    };
    const newest = () => read(principal && env.store.forTenant(principal.tenantId));
    const replica = replicaFor(env, execution);
    // What a replica lacks may be there by now, so nobody is refused by it.
    return await (replica ? read(replica).catch(newest) : newest());
  } catch (thrown) {
    throw located(thrown, input.body);
  }
}

/** Where an answer may be read that may be behind, if there is such a place. */
function replicaFor({ store }: Environment, { operation, principal, facts }: Execution): Reader | undefined {
  if (!principal || !facts.mayBeBehind || !store.replica || !mayReadReplica(operation)) return undefined;
  return store.replica(principal.tenantId);
}

function factsWith(facts: RequestFacts, body: { readonly reason?: unknown } | undefined): RequestFacts {
  return typeof body?.reason === "string" ? { ...facts, reason: body.reason } : facts;
}

async function write<T>(
  env: Environment,
  { operation, principal, facts, once, renew }: Execution,
  input: ParsedInput,
  encode: (result: unknown) => T,
  hints: Hints | undefined,
): Promise<T> {
  if (!principal) throw new Error(`operation ${operation.id} writes without a principal`);
  const alone = once && claim(env, `${principal.tenantId} ${once.id}`);
  try {
    let wanted: readonly Wanted[] = [];
    const reading =
      operation.prepare && new ReadContext(env, facts, principal, env.store.forTenant(principal.tenantId));
    // What prepares may call other systems, or refuse by what the first request has changed.
    const before = reading && once && keptBefore(await reading.db.get(idempotencyKeys, once.id), once, reading.now);
    if (before) return before as T;
    const prepared = reading && (await operation.prepare?.(reading, input));
    // Who was disabled while that took its time must not write any more.
    const renewing = reading && renew?.();
    const renewed = renewing instanceof Promise ? await renewing : renewing;
    const actor = renewed
      ? { env, principal: renewed.principal, facts: { ...facts, tenant: renewed.tenant }, kind: operation.id }
      : { env, principal, facts, kind: operation.id };
    const work = async (ctx: Context): Promise<T> => {
      const unit = unitOf(ctx);
      wanted = unit.wanted;
      const kept = once && (await earlierAnswer(ctx, once));
      if (kept) return kept as T;
      hints?.seek(unit.tx);
      const encoded = encode(await operation.handler(ctx, input, prepared));
      if (once) await keep(ctx, once, operation, encoded as Answer);
      return encoded;
    };
    return await transact(env, actor, work).catch(async (thrown: unknown) =>
      Promise.reject(await namingHolder(env, principal.tenantId, wanted, thrown)),
    );
  } finally {
    alone?.();
  }
}

function claim(env: Environment, key: string): () => void {
  const running = env.use(inFlight);
  if (running.has(key)) throw new ReeveError("idempotency_in_progress", undefined, { headers: { "retry-after": "1" } });
  running.add(key);
  return () => running.delete(key);
}

async function earlierAnswer(ctx: Context, once: IdempotentRequest): Promise<Answer | undefined> {
  const row = await ctx.db.get(idempotencyKeys, once.id);
  const kept = keptBefore(row, once, ctx.now);
  if (kept) return kept;
  if (row) await ctx.remove(idempotencyKeys, row.value);
  return undefined;
}

/** The answer that the first request with this key got. */
function keptBefore(row: Row<KeptAnswer> | undefined, once: IdempotentRequest, now: string): Answer | undefined {
  const kept = replayable(row?.value, once, now);
  if (!kept) return undefined;
  const { status, body, headers } = kept;
  return { status, body: body || null, headers: { ...headers, "idempotent-replayed": "true" } };
}

async function keep(ctx: Context, once: IdempotentRequest, operation: Operation, answer: Answer): Promise<void> {
  const body = operation.secret ? null : String(answer.body ?? "");
  const { status, headers } = answer;
  await ctx.insert(idempotencyKeys, keptAnswer(once, { status, body, headers }, ctx.request.nowMs));
}
