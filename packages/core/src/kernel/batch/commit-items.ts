import type { Context } from "../context.js";
import { recordDenials } from "../denial.js";
import { commitAtomic, commitBatch, refusalOf } from "./commit.js";
import { prepareItems } from "./prepare.js";
import type { BatchOutcome, BatchWork } from "./work.js";

/**
 * Does the work of one request on a bounded list, for operations that open their own transactions. Gives what became of each
 * input, in their order; `atomic` rejects unless all were done.
 */
export async function commitItems<I, P, T>(
  ctx: Context,
  operationId: string,
  work: BatchWork<I, P, T>,
  inputs: readonly I[],
  atomic: boolean,
): Promise<readonly BatchOutcome<T>[]> {
  const { env, principal, request: facts } = ctx;
  const actor = { env, principal, facts };
  const { items, refused } = await prepareItems(
    work,
    inputs.map((input, index) => ({ index, input })),
  );
  if (atomic && refused.length > 0) throw refusalOf(refused);
  const { outcomes, waiting } = await (atomic ? commitAtomic : commitBatch)(actor, work, items);
  const all: BatchOutcome<T>[] = [...refused, ...outcomes, ...waiting.map(({ index, error }) => ({ index, error }))];
  await recordDenials(
    actor,
    operationId,
    all.flatMap(({ error }) => error ?? []),
  );
  return all.sort((a, b) => a.index - b.index);
}
