import { client, ProblemError } from "../../../api/client.js";
import type { Line } from "./read-lines.js";

/** How many lines became what. */
export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** A line that the server refused, in its words. */
export interface Refusal {
  readonly at: number;
  readonly words: string;
}

export interface Outcome {
  readonly counts: Counts;
  readonly refusals: readonly Refusal[];
}

export const NO_COUNTS: Counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };

export const sumOf = (one: Counts, other: Counts): Counts => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
  failed: one.failed + other.failed,
});

export interface Manner {
  readonly dryRun: boolean;
  readonly baseline: boolean;
}

/**
 * Sends some lines in one request. Where the request is refused as a whole because of what stands in it, each half is sent by
 * itself, so that one bad line costs no other.
 */
export async function sendPart(part: readonly Line[], manner: Manner): Promise<Outcome> {
  try {
    const body = { items: part.map(({ item }) => item), ...manner };
    const { data } = await client.POST("/api/v1/ai-assets/import", { body: body as never });
    const { items, created, updated, unchanged, failed } = data;
    const refusals = items.flatMap(({ index, problem }) =>
      problem ? [{ at: part[index]?.at ?? 0, words: wordsOf(problem.detail, problem.errors) }] : [],
    );
    return { counts: { created, updated, unchanged, failed }, refusals };
  } catch (error) {
    if (!ProblemError.is(error) || (error.status !== 400 && error.status !== 413)) throw error;
    const [first] = part;
    if (part.length === 1 && first) {
      const refusal = { at: first.at, words: wordsOf(error.message, error.errors) };
      return { counts: { ...NO_COUNTS, failed: 1 }, refusals: [refusal] };
    }
    const half = Math.ceil(part.length / 2);
    const one = await sendPart(part.slice(0, half), manner);
    const other = await sendPart(part.slice(half), manner);
    return { counts: sumOf(one.counts, other.counts), refusals: [...one.refusals, ...other.refusals] };
  }
}

function wordsOf(detail: string, faults: readonly { readonly pointer?: string; readonly message: string }[]): string {
  const said = faults.map(({ pointer, message }) => (pointer ? `${pointer}: ${message}` : message));
  return said.length > 0 ? said.join(" ") : detail;
}
