/** What the gateway takes, keeps and waits for at most. */
export const LIMITS = {
  /** Bytes of a request's body. */
  bodyBytes: 1_048_576,
  /** Characters of a tool's result as JSON. */
  resultLength: 262_144,
  /** Milliseconds until a question to Reeve counts as unanswered. */
  questionMs: 5_000,
  /** Milliseconds until a call is given up. */
  callMs: 30_000,
  /** Requests under way, in all and of one agent. */
  atOnce: 64,
  atOnceOfOne: 8,
  /** Calls whose keys are kept, in all and of one agent. */
  keys: 400,
  keysOfOne: 100,
  /** Milliseconds that a key is kept. */
  keyMs: 3_600_000,
};
export type Limits = typeof LIMITS;

/** Counts what is under way, and lets no more in than that. */
export class Gate {
  readonly #of = new Map<string, number>();

  constructor(readonly most: number) {}

  /** Does the work, or gives `undefined` where too much of this kind is under way. */
  async through<T>(kind: string, work: () => Promise<T>): Promise<T | undefined> {
    const before = this.#of.get(kind) ?? 0;
    if (before >= this.most) return undefined;
    this.#of.set(kind, before + 1);
    try {
      return await work();
    } finally {
      const left = (this.#of.get(kind) ?? 1) - 1;
      if (left > 0) this.#of.set(kind, left);
      else this.#of.delete(kind);
    }
  }
}
