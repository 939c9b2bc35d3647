import type { Context } from "../../operation/context.js";
import { unitOf } from "../../operation/unit-access.js";
import { emitDenials } from "../denial.js";
import { type Attempt, attempt, BatchPoisoned } from "./attempt.js";
import { refusalOf } from "./commit.js";
import type { Prepared } from "./prepare.js";
import type { BatchItem, BatchOutcome, BatchWork, Refused } from "./work.js";

/**
 * Runs the work of one request on a bounded list, in the request's own transaction. Returns the outcome of each input
 * in order. `atomic` rejects unless all were done. An input that can no longer be rolled back alone rejects the
 * request.
 */
export async function doItems<P, T>(
  ctx: Context,
  operationId: string,
  work: Pick<BatchWork<never, P, T>, "open">,
  { items, refused }: Prepared<P>,
  atomic: boolean,
): Promise<readonly BatchOutcome<T>[]> {
  const { outcomes, waiting, excluded } = await attemptWithout(ctx, work, items);
  const failed: Refused[] = [
    ...refused,
    ...excluded,
    ...waiting.map(({ index, error }) => ({ index, error })),
    ...outcomes.flatMap((outcome) => (outcome.error ? [outcome] : [])),
  ];
  if (atomic && failed.length > 0) throw refusalOf(failed);
  await emitDenials(
    ctx,
    operationId,
    failed.map(({ error }) => error),
  );
  const done = outcomes.filter(({ error }) => !error);
  return [...done, ...failed].sort((a, b) => a.index - b.index);
}

/** When inputs are to blame and nothing was sent yet, the others start again in the same transaction. */
async function attemptWithout<P, T>(
  ctx: Context,
  work: Pick<BatchWork<never, P, T>, "open">,
  items: readonly BatchItem<P>[],
): Promise<Attempt<P, T> & { readonly excluded: readonly Refused[] }> {
  const { env, principal, request: facts } = ctx;
  const excluded: Refused[] = [];
  for (let left = items; ; ) {
    try {
      return { ...(await attempt({ env, principal, facts }, unitOf(ctx), work, left)), excluded };
    } catch (thrown) {
      if (!(thrown instanceof BatchPoisoned)) throw thrown;
      if (!thrown.clean) throw refusalOf(thrown.refused);
      excluded.push(...thrown.refused);
      const blamed = new Set(thrown.refused.map(({ index }) => index));
      left = left.filter(({ index }) => !blamed.has(index));
    }
  }
}
