import type { Environment } from "../../config/environment.js";
import type { Principal } from "../../config/principal.js";
import { effectOf, type Operation } from "../../operation/operation.js";
import { ReadContext, type RequestFacts } from "../../operation/read-context.js";
import { type ParsedInput, parseInput } from "../input.js";
import { type OperationInput, readInput } from "../operation-input.js";
import { requireStorable } from "../storable-input.js";
import { refuseUnknownFields, type UnknownField, unknownFields } from "../unknown-fields.js";
import type { BatchWork } from "./work.js";

interface Prepared {
  readonly input: ParsedInput;
  readonly unknown: readonly UnknownField[];
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
    async prepare(given) {
      const { raw, ifMatch } = readInput(given);
      requireStorable(raw);
      const input = parseInput(operation, raw);
      const facts = { requestId, nowMs: env.clock.now(), mountPath: "" };
      const reading =
        operation.prepare && new ReadContext(env, facts, principal, env.store.forTenant(principal.tenantId));
      const made = reading && (await operation.prepare?.(reading, input));
      const unknown = unknownFields(operation, raw.body);
      return { input, unknown, made, facts: ifMatch === undefined ? {} : { ifMatch: [`"${ifMatch}"`] } };
    },
    open: async () => ({
      one: async (ctx, { input, unknown, made }) => {
        refuseUnknownFields(ctx.request, unknown);
        return plain(await operation.handler(ctx, input, made));
      },
      facts: ({ facts }) => facts,
    }),
  };
}
