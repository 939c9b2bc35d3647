import { SIZE_LIMIT } from "#store/query.js";

/** The parts of a list, in its order, none longer than `size`. */
export function* chunksOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

/** Reads a long list in chunks and joins the answers. A chunk is as large as a store allows by default. */
export async function inChunks<T, A>(
  list: readonly T[],
  ask: (some: readonly T[]) => Promise<Iterable<A>>,
  size = SIZE_LIMIT,
): Promise<A[]> {
  const answers: A[] = [];
  for (const some of chunksOf(list, size)) answers.push(...(await ask(some)));
  return answers;
}
