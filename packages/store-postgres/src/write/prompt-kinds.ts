/** How long work that reads may have its tenant's turn, in ms, while others wait for its end to be committed. */
export const PROMPT_MS = 250;
const MOST_KINDS = 1_000;

/**
 * The kinds of work that read under the lock and yet were done soon, the last time. Most work of a kind takes the same
 * steps, so one run predicts the next.
 */
export class PromptKinds {
  readonly #prompt = new Set<string>();

  has(kind: string | undefined): boolean {
    return kind !== undefined && this.#prompt.has(kind);
  }

  /** Notes how long a run had the turn, in ms. */
  note(kind: string | undefined, ms: number): void {
    if (kind === undefined) return;
    if (ms >= PROMPT_MS) this.#prompt.delete(kind);
    else if (this.#prompt.size < MOST_KINDS) this.#prompt.add(kind);
  }
}
