import { publishedError } from "../../http/store-errors.js";
import type { BatchItem, BatchWork, Refused } from "./work.js";

/** Inputs that are valid, and those that are refused. */
export interface Prepared<P> {
  readonly items: readonly BatchItem<P>[];
  readonly refused: readonly Refused[];
}

/** Checks inputs before any transaction, and separates the valid from the refused ones. */
export async function prepareItems<I, P, T>(
  work: Pick<BatchWork<I, P, T>, "prepare">,
  chunk: readonly BatchItem<I>[],
): Promise<Prepared<P>> {
  const items: BatchItem<P>[] = [];
  const refused: Refused[] = [];
  for (const { index, input } of chunk) {
    try {
      items.push({ index, input: await work.prepare(input) });
    } catch (thrown) {
      refused.push({ index, error: publishedError(thrown) });
    }
  }
  return { items, refused };
}
