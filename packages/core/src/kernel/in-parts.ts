import { SIZE_LIMIT } from "../store/query.js";

/** Asks for a long list in parts that a store takes, and joins the answers. */
export async function inParts<T, A>(
  list: readonly T[],
  ask: (some: readonly T[]) => Promise<readonly A[]>,
): Promise<A[]> {
  const answers: A[] = [];
  for (let at = 0; at < list.length; at += SIZE_LIMIT) answers.push(...(await ask(list.slice(at, at + SIZE_LIMIT))));
  return answers;
}
