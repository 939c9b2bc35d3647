import { SIZE_LIMIT } from "../../store/query.js";

/** Reads a long list in chunks, as large as a store allows by default, and joins the answers. */
export async function inChunks<T, A>(
  list: readonly T[],
  ask: (some: readonly T[]) => Promise<readonly A[]>,
  size = SIZE_LIMIT,
): Promise<A[]> {
  const answers: A[] = [];
  for (let at = 0; at < list.length; at += size) answers.push(...(await ask(list.slice(at, at + size))));
  return answers;
}
