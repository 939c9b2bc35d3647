import type { Environment } from "../../config/environment.js";
import type { Principal } from "../../config/principal.js";
import type { JsonObject } from "../../http/json-guard.js";
import { effectOf, type Operation } from "../../operation/operation.js";
import { ReadContext, type RequestFacts } from "../../operation/read-context.js";
import { type ParsedInput, parseInput } from "../input.js";
import { requireStorable } from "../storable-input.js";
import type { BatchWork } from "./work.js";

/** The input of `call`, untyped. */
export interface OperationInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: JsonObject;
  readonly ifMatch?: number;
}

interface Prepared {
  readonly input: ParsedInput;
  readonly made: unknown;
  readonly facts: Partial<RequestFacts>;
}

/**
 * Throws unless the operation can share a transaction: it must write in the kernel's transaction and need a principal.
 */
export function requireBatchable(operation: Operation): void {
  if (effectOf(operation) === "write" && operation.access !== "public") return;
  throw new TypeError(`operation ${operation.id} cannot run in a batch: it does not write in one transaction; call it`);
}

/** An operation as the work of a batch. */
export function operationWork(
  env: Environment,
  principal: Principal,
  operation: Operation,
  requestId: string,
  plain: (result: unknown) => unknown,
): BatchWork<OperationInput, Prepared, unknown> {
  return {
    async prepare({ params = {}, query = {}, body, ifMatch }) {
      requireStorable({ params, query, body });
      const input = parseInput(operation, { params, query, body });
      const facts = { requestId, nowMs: env.clock.now(), mountPath: "" };
      const reading =
        operation.prepare && new ReadContext(env, facts, principal, env.store.forTenant(principal.tenantId));
      const made = reading && (await operation.prepare?.(reading, input));
      return { input, made, facts: ifMatch === undefined ? {} : { ifMatch: [`"${ifMatch}"`] } };
    },
    open: async () => ({
      one: async (ctx, { input, made }) => plain(await operation.handler(ctx, input, made)),
      facts: ({ facts }) => facts,
    }),
  };
}
