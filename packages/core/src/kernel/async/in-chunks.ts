import { SIZE_LIMIT } from "#store/query.js";

/** Reads a long list in chunks and joins the answers. A chunk is as large as a store allows by default. */
export async function inChunks<T, A>(
  list: readonly T[],
  ask: (some: readonly T[]) => Promise<readonly A[]>,
  size = SIZE_LIMIT,
): Promise<A[]> {
  const answers: A[] = [];
  for (let at = 0; at < list.length; at += size) answers.push(...(await ask(list.slice(at, at + size))));
  return answers;
}
