import { SIZE_LIMIT } from "../store/query.js";

/** Asks for a long list in parts, as large as a store takes unless said, and joins the answers. */
export async function inParts<T, A>(
  list: readonly T[],
  ask: (some: readonly T[]) => Promise<readonly A[]>,
  size = SIZE_LIMIT,
): Promise<A[]> {
  const answers: A[] = [];
  for (let at = 0; at < list.length; at += size) answers.push(...(await ask(list.slice(at, at + size))));
  return answers;
}
