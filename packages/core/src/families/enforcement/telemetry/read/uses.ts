/** The parts of the tokens of a call. `null`: nobody has said how many. */
export const TOKENS = ["input", "output", "cached", "cacheWritten", "reasoning"] as const;
export type Tokens = Record<(typeof TOKENS)[number], number | null>;

/** One call of a model or a tool, or a run of which no call is known. */
export interface Use {
  readonly kind: "model" | "tool" | "run";
  readonly at: string;
  /** What tells it from other calls of the installation. One that is known makes it a repetition. */
  readonly keys: readonly string[];
  /** The trace of a call of a model, or of a run. */
  readonly traceKey: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly tool: string | null;
  readonly server: string | null;
  readonly outcome: "done" | "failed" | "refused";
  readonly tokens: Tokens;
  readonly costUsd: number | null;
  readonly milliseconds: number | null;
}

/** What an export holds. */
export interface Reading {
  readonly uses: readonly Use[];
  /** Names of agents that calls and runs are said to be of. */
  readonly agents: readonly string[];
  readonly records: number;
  /** Records that tell of no call, or of one that is counted from others. */
  readonly otherRecords: number;
  readonly droppedAttributes: number;
  /** What has sent it, with the version that it says. */
  readonly dialects: readonly { readonly name: string; readonly version: string | null }[];
}

/** A call with what its second record is found by, where it is logged twice. */
export interface Twin {
  readonly use: Use;
  readonly of: string;
  readonly hasTokens: boolean;
}
