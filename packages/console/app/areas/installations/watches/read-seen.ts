import { client } from "../../../api/client.js";
import type { Summary, WatchedCall } from "./terms.js";

/** Kinds of calls, with the summary that was read before them. */
export interface Seen {
  readonly summary: Summary;
  readonly calls: readonly WatchedCall[];
}

const SIZE = 100;

/**
 * Reads all that would have been denied in a watch. The summary is read first: where another kind of call comes in between, its
 * digest is one that the server refuses, and it cannot stand for a call that was not shown.
 */
export async function readSeen(id: string, signal: AbortSignal): Promise<Seen> {
  const path = { id };
  const { data: summary } = await client.GET("/api/v1/ai/watches/{id}/summary", { params: { path }, signal });
  const read = async (page: number) => {
    const query = { page, size: SIZE, sort: ["-calls" as const] };
    return (await client.GET("/api/v1/ai/watches/{id}/would-be-denied", { params: { path, query }, signal })).data;
  };
  const first = await read(0);
  const others = Array.from({ length: Math.ceil(summary.kinds / SIZE) - 1 }, (_, at) => read(at + 1));
  const pages = [first, ...(await Promise.all(others))];
  // A call that is counted meanwhile may move to another page.
  const calls = new Map(pages.flatMap(({ items }) => items.map((call) => [call.id, call] as const)));
  return { summary, calls: [...calls.values()] };
}
