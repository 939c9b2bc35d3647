import { EventLoopYielder } from "#store/event-loop.js";
import { publishedError } from "../../http/store-errors.js";
import type { BatchItem, BatchWork, Refused } from "./work.js";

/** Inputs that are valid, and those that are refused. */
export interface Prepared<P> {
  readonly items: readonly BatchItem<P>[];
  readonly refused: readonly Refused[];
}

/**
 * Checks inputs before any transaction, and separates the valid from the refused ones. Lets other work go on between them,
 * and before what follows on many.
 */
export async function prepareItems<I, P, T>(
  work: Pick<BatchWork<I, P, T>, "prepare">,
  chunk: readonly BatchItem<I>[],
): Promise<Prepared<P>> {
  const items: BatchItem<P>[] = [];
  const refused: Refused[] = [];
  const yielder = new EventLoopYielder();
  for (const { index, input } of chunk) {
    if (yielder.isDue) await yielder.pass();
    try {
      items.push({ index, input: await work.prepare(input) });
    } catch (thrown) {
      refused.push({ index, error: publishedError(thrown) });
    }
  }
  await yielder.end();
  return { items, refused };
}
