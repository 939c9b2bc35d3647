import type { FindingPatch } from "#families/findings/index.js";

/** The effect of an action on the finding. */
export interface Effect {
  readonly patch: FindingPatch;
  readonly outcome: "done" | "awaiting_four_eyes";
}
