import type { Change, Transaction } from "../store/store.js";
import { Context } from "./context.js";
import type { Answer } from "./encode.js";
import { defineService, type Environment } from "./environment.js";
import { ReeveError } from "./errors.js";
import { located } from "./generic-body.js";
import type { Hints } from "./hints.js";
import { type IdempotentRequest, idempotencyKeys, keptAnswer, replayable } from "./idempotency.js";
import type { ParsedInput } from "./input.js";
import { namingHolder, type Wanted } from "./key-holder.js";
import { effectOf, type Operation } from "./operation.js";
import { settle } from "./outbox.js";
import type { Principal } from "./principal.js";
import type { RequestFacts } from "./read-context.js";

/** One run of an operation: who, what, and the facts of the request. */
export interface Execution {
  readonly operation: Operation;
  readonly principal: Principal | undefined;
  readonly facts: RequestFacts;
  readonly once?: IdempotentRequest | undefined;
}

/** Idempotent requests under way in this process. */
const inFlight = defineService("kernel.inFlight", () => new Set<string>());

/** Runs the handler: reads straight from the store, writes in one transaction together with the kept answer. */
export async function execute<T>(
  env: Environment,
  execution: Execution,
  input: ParsedInput,
  encode: (result: unknown) => T,
  hints?: Hints,
): Promise<T> {
  const { operation, principal, facts } = execution;
  try {
    if (effectOf(operation) === "write") return await write(env, execution, input, encode, hints);
    const source = principal && env.store.forTenant(principal.tenantId);
    const ctx = new Context(env, facts, principal, source);
    const prepared = operation.prepare && (await operation.prepare(ctx, input));
    return encode(await operation.handler(ctx, input, prepared));
  } catch (thrown) {
    throw located(thrown, input.body);
  }
}

async function write<T>(
  env: Environment,
  { operation, principal, facts, once }: Execution,
  input: ParsedInput,
  encode: (result: unknown) => T,
  hints: Hints | undefined,
): Promise<T> {
  if (!principal) throw new Error(`operation ${operation.id} writes without a principal`);
  const alone = once && claim(env, `${principal.tenantId} ${once.id}`);
  try {
    let changes: readonly Change[] = [];
    let wanted: readonly Wanted[] = [];
    const reading = operation.prepare && new Context(env, facts, principal, env.store.forTenant(principal.tenantId));
    const prepared = reading && (await operation.prepare?.(reading, input));
    const work = async (tx: Transaction): Promise<T> => {
      const ctx = new Context(env, facts, principal, tx);
      wanted = ctx.wanted;
      const kept = once && (await earlierAnswer(tx, once, ctx));
      if (kept) return kept as T;
      hints?.seek(tx);
      const encoded = encode(await operation.handler(ctx, input, prepared));
      if (once) await keep(tx, once, operation, encoded as Answer, facts.nowMs);
      changes = ctx.changes();
      return encoded;
    };
    const answer = await env.store
      .transaction(principal.tenantId, work, operation.id)
      .catch(async (thrown: unknown) => Promise.reject(await namingHolder(env, principal.tenantId, wanted, thrown)));
    settle(env, changes);
    return answer;
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

async function earlierAnswer(tx: Transaction, once: IdempotentRequest, ctx: Context): Promise<Answer | undefined> {
  const row = await tx.get(idempotencyKeys, once.id);
  const kept = replayable(row?.value, once, ctx.now);
  if (kept)
    return {
      status: kept.status,
      body: kept.body || null,
      headers: { ...kept.headers, "idempotent-replayed": "true" },
    };
  if (row) await tx.remove(idempotencyKeys, row.value, ctx.now);
  return undefined;
}

async function keep(
  tx: Transaction,
  once: IdempotentRequest,
  operation: Operation,
  answer: Answer,
  nowMs: number,
): Promise<void> {
  const body = operation.secret ? null : String(answer.body ?? "");
  await tx.insert(idempotencyKeys, keptAnswer(once, { status: answer.status, body, headers: answer.headers }, nowMs));
}
