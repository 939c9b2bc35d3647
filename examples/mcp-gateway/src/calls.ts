import type { Limits } from "./limits.js";
import { failed, type ToolResult } from "./upstream.js";

/** What came of a call. One that was refused was not made, and may be tried again with its key. */
export interface Outcome {
  readonly made: boolean;
  readonly result: ToolResult;
}

/** A call that a client has named, so that its repetition is known. */
export interface NamedCall {
  readonly agent: string;
  readonly key: string;
  /** The tool with its arguments. */
  readonly asked: string;
}

interface Kept {
  readonly agent: string;
  readonly asked: string;
  readonly result: Promise<ToolResult>;
  readonly until: number;
}

/**
 * The calls that were made with a key. They are in this process alone: a gateway that has to know of them after a restart keeps
 * them in a database.
 */
export class Calls {
  readonly #kept = new Map<string, Kept>();

  constructor(readonly limits: Limits) {}

  /** Makes a call, or gives the result of the first one with its key. */
  async once({ agent, key, asked }: NamedCall, make: () => Promise<Outcome>): Promise<ToolResult> {
    const now = Date.now();
    for (const [id, { until }] of this.#kept) if (until <= now) this.#kept.delete(id);
    const id = JSON.stringify([agent, key]);
    const first = this.#kept.get(id);
    if (first) return first.asked === asked ? first.result : failed("idempotency_key_reused", "It is of another call.");
    // What was forgotten could be done twice, so that nothing is forgotten to make room.
    const own = [...this.#kept.values()].filter((kept) => kept.agent === agent).length;
    if (own >= this.limits.keysOfOne || this.#kept.size >= this.limits.keys)
      return failed("too_many_keys", "No more calls with keys are taken for now.");
    const result = make().then((outcome) => {
      if (!outcome.made) this.#kept.delete(id);
      return outcome.result;
    });
    this.#kept.set(id, { agent, asked, result, until: now + this.limits.keyMs });
    return result;
  }
}
