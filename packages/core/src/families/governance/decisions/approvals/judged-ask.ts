import type { Digests } from "../ask/digests.js";
import type { Ask } from "../ask/request.js";
import type { Judgement } from "../judge/judge.js";

/** A request with its judgement. */
export interface JudgedAsk {
  readonly ask: Ask;
  readonly judgement: Judgement;
  readonly digests: Digests;
}

/** How approvals are found: by the very call, and by its tool in the session, where it names one. */
export interface AskedKeys {
  readonly askedKey: string;
  readonly toolKey: string | null;
}
