import type { Client } from "./client.js";
import type { List } from "./wire.js";

/** Reads a list by cursor from its first page to its last. */
export async function walk<T>(client: Client, path: string, size: number): Promise<{ items: T[]; pages: number }> {
  const items: T[] = [];
  const join = path.includes("?") ? "&" : "?";
  let cursor: string | null = null;
  let pages = 0;
  do {
    const from: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { body }: { body: List<T> } = await client.get<List<T>>(`${path}${join}size=${size}${from}`);
    items.push(...body.items);
    cursor = body.nextCursor;
    pages += 1;
  } while (cursor !== null);
  return { items, pages };
}
