const MOST_KINDS = 1_000;

/**
 * The kinds of work whose last run read and yet ended within one turn of the event loop. Most work of a kind takes the
 * same steps, so one run predicts the next.
 */
export class PromptKinds {
  readonly #prompt = new Set<string>();

  has(kind: string | undefined): boolean {
    return kind !== undefined && this.#prompt.has(kind);
  }

  /** Begins to watch a run. Call what it returns at the end of the run. */
  watch(kind: string | undefined): () => void {
    if (kind === undefined) return () => undefined;
    let isPrompt = true;
    const turn = setImmediate(() => {
      isPrompt = false;
      this.#prompt.delete(kind);
    });
    return () => {
      clearImmediate(turn);
      if (isPrompt && this.#prompt.size < MOST_KINDS) this.#prompt.add(kind);
    };
  }
}
