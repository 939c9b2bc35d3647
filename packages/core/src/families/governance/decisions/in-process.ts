import { defineService, type Environment } from "#kernel/config/environment.js";
import type { Principal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import { guardJson, JSON_LIMITS } from "#kernel/http/json-guard.js";
import type { Context } from "#kernel/operation/context.js";
import type { RequestFacts } from "#kernel/operation/read-context.js";
import { processContext, systemContext } from "#kernel/operation/system-context.js";
import { concernsItem } from "#kernel/pipeline/batch/attempt.js";
import { type DecisionFields, readRequest } from "./ask/request.js";
import { type DecisionOptions, prepareDecision, recordDecision } from "./record/record-decision.js";
import type { Decision } from "./schema.js";

/** The most decisions of one transaction, and the most that may wait per tenant. */
const TOGETHER = 200;
const WAITING = 10_000;

interface Entry {
  work(ctx: Context): Promise<Decision>;
  resolve(decision: Decision): void;
  reject(error: unknown): void;
}

/** Stores decisions. Those that arrive during a transaction share the next one. */
class DecisionLog {
  readonly #waiting = new Map<string, Entry[]>();

  constructor(readonly env: Environment) {}

  /**
   * Resolves once the decision is stored. Rejects when it could not be stored, so that no unlogged decision is used.
   */
  record(tenantId: string, work: Entry["work"]): Promise<Decision> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(tenantId);
      if (waiting && waiting.length >= WAITING) {
        reject(
          new ReeveError("overloaded", "Too many decisions wait to be written down.", {
            headers: { "retry-after": "1" },
          }),
        );
        return;
      }
      const entry = { work, resolve, reject };
      if (waiting) waiting.push(entry);
      else {
        this.#waiting.set(tenantId, [entry]);
        void this.#writeAll(tenantId);
      }
    });
  }

  async #writeAll(tenantId: string): Promise<void> {
    // Starts one microtask later, so that decisions of the same turn share a transaction.
    await Promise.resolve();
    for (let entries = this.#nextEntries(tenantId); entries.length > 0; entries = this.#nextEntries(tenantId)) {
      await this.#write(tenantId, entries).catch(async (error: unknown) => {
        // What may be stored must not be stored again, and a store that fails would fail for each.
        if (entries.length === 1 || !concernsItem(error)) {
          for (const { reject } of entries) reject(error);
          return;
        }
        // Each is stored alone, so that one bad decision does not fail the others.
        for (const entry of entries) await this.#write(tenantId, [entry]).catch(entry.reject);
      });
    }
    this.#waiting.delete(tenantId);
  }

  #nextEntries(tenantId: string): readonly Entry[] {
    return this.#waiting.get(tenantId)?.splice(0, TOGETHER) ?? [];
  }

  async #write(tenantId: string, entries: readonly Entry[]): Promise<void> {
    const work = async (ctx: Context) => {
      const decisions: Decision[] = [];
      for (const entry of entries) decisions.push(await entry.work(ctx));
      return decisions;
    };
    const system = systemContext(this.env, tenantId, "decisions");
    const done = await system.write(work, system.principal, "decisions.log");
    for (const [index, entry] of entries.entries()) entry.resolve(done[index] as Decision);
  }
}

const decisionLog = defineService("governance.decisionLog", (env) => new DecisionLog(env));

/**
 * Decides a request in process for an authenticated principal, by the same code as over HTTP. Its log entry is written
 * together with others.
 */
export async function decideInProcess(
  env: Environment,
  principal: Principal,
  facts: RequestFacts,
  request: DecisionFields,
  options: DecisionOptions = {},
): Promise<Decision> {
  const { tenantId } = principal;
  const reading = processContext(env, principal, facts);
  const prepared = { ...(await prepareDecision(reading, readRequest(plainJson(request)))), ...options };
  return env.use(decisionLog).record(tenantId, (ctx) => recordDecision(ctx.as(principal, facts), prepared));
}

/** Converts a host's value to what HTTP would carry, so that rules, digests and limits are the same. */
function plainJson(request: DecisionFields): Record<string, unknown> {
  let text: string;
  try {
    text = JSON.stringify(request, finite) ?? "null";
  } catch {
    throw new ReeveError("invalid_json", "The request holds something that JSON cannot.");
  }
  if (Buffer.byteLength(text) > JSON_LIMITS.bytes) throw new ReeveError("payload_too_large");
  guardJson(text);
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ReeveError("invalid_json");
  return value as Record<string, unknown>;
}

/** JSON writes `NaN` and `Infinity` as `null`, and a rule would take that for nothing. */
function finite(_name: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError("JSON has finite numbers only");
  return value;
}
