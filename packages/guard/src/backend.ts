/** A question for a decision, in the form of AuthZEN. */
export interface Question {
  readonly subject: { readonly type: string; readonly id: string };
  readonly action: { readonly name: string; readonly properties: Readonly<Record<string, unknown>> };
  readonly resource: {
    readonly type: string;
    readonly id: string;
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  readonly context: Readonly<Record<string, unknown>>;
}

/** The session that a guard keeps an eye on. */
export interface WatchOptions {
  readonly sessionId: string;
  readonly pepId: string;
  readonly leaseMs: number;
}

/** A session under watch. What ends it rejects with `RunEndedError`. */
export interface Watch {
  /** Rejects unless the session may continue. */
  check(): Promise<void>;
  /** Aborts when the session ends. */
  readonly signal: AbortSignal;
  /** Runs a tool, counts it, and gives its result only if the session may still continue. */
  run<R>(work: (signal: AbortSignal) => Promise<R>): Promise<R>;
  close(): Promise<void>;
}

/** A way to Reeve: `inProcess(…)` or `http(…)`. Answers are as they came, and read by the guard. */
export interface Backend {
  decide(question: Question, signal: AbortSignal): Promise<unknown>;
  readApproval(id: string, signal: AbortSignal): Promise<unknown>;
  watch(options: WatchOptions): Promise<Watch>;
}
