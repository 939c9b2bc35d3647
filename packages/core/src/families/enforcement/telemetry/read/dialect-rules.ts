/** What an attribute tells of a call. */
export type Role =
  | "model"
  | "provider"
  | "tool"
  | "server"
  | "input"
  | "output"
  | "cached"
  | "cacheWritten"
  | "reasoning"
  | "costUsd"
  | "milliseconds"
  | "succeeded"
  | "error"
  | "httpStatus"
  | "decision"
  | "agent";

/** A condition on a record: the value of one attribute, or of its name as `@name`. `null`: it is there, whatever it is. */
export type Condition = readonly [attribute: string, values: readonly string[] | null];

/** How the records of one sort are read. The first rule whose conditions hold is that of a record. */
export interface Rule {
  /** `model`, `tool`: one call. `run`: a whole run, whose tokens are sums of calls. `aside`: told again elsewhere. */
  readonly kind: "model" | "tool" | "run" | "aside";
  /** Of these instrumentations alone. */
  readonly scopes?: readonly string[];
  readonly when: readonly Condition[];
  /** Where each thing stands: the first attribute of a list that is there counts. */
  readonly roles?: Readonly<Partial<Record<Role, readonly string[]>>>;
  /** Members of attributes that hold JSON, and of which no other member is read. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
  /** What tells one call from another: each list is a key by itself. `@span`, `@trace` and `@time` are of the record. */
  readonly keys?: readonly (readonly string[])[];
  /** Parts that the number of tokens in front does not hold yet. */
  readonly lacks?: { readonly input?: readonly Role[]; readonly output?: readonly Role[] };
  /** The records of it that count: calls that failed, or were refused. */
  readonly only?: "failures" | "refusals";
  /** It is logged a second time, without tokens. */
  readonly isTwice?: true;
}

/** What one client or library sends. */
export interface Dialect {
  readonly name: string;
  /** The versions whose own records are among the tests. */
  readonly triedWith: readonly string[];
  readonly signal: "logs" | "traces";
  /** Where it says its version. Gemini CLI says that of Node. */
  readonly says: "service" | "scope" | "nothing";
  readonly rules: readonly Rule[];
}
