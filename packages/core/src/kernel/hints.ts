import type { Answer } from "./encode.js";
import type { Environment } from "./environment.js";
import type { Execution } from "./execute.js";
import type { ParsedInput } from "./input.js";
import type { Hint } from "./operation.js";
import { ReadContext } from "./read-context.js";
import { scrubbed } from "./scrub.js";
import { nextTurn } from "./turns.js";

/** Looks for what an operation hints at, once its write is on its way; `undefined` when it hints at nothing. */
export function seekHints(
  env: Environment,
  { operation, principal, facts }: Execution,
  input: ParsedInput,
): Promise<readonly Hint[]> | undefined {
  if (!operation.hints || !principal) return undefined;
  const ctx = new ReadContext(env, facts, principal, env.store.forTenant(principal.tenantId));
  const { id, hints } = operation;
  return nextTurn()
    .then(() => hints(ctx, input))
    .catch((error: unknown) => {
      env.logger.warn({ operation: id, error: scrubbed(String(error)) }, "hints could not be looked for");
      return [];
    });
}

/** The answer with its hints. One that was kept from an earlier request goes without: they would find what that has made. */
export function withHints(answer: Answer, hints: readonly Hint[], mountPath: string): Answer {
  if (hints.length === 0 || "idempotent-replayed" in answer.headers) return answer;
  const link = hints.map(({ path, by }) => `<${mountPath}${path}>; rel="related"; by="${by}"`).join(", ");
  return { ...answer, headers: { ...answer.headers, link } };
}
