import { may } from "../../src/families/support/actions/rules.js";

// Only the type check reads this file: the line marked as an error must be one, and its twin must not.

export const declared = may("kill-switches");
// @ts-expect-error No permission of that name is declared.
export const misspelt = may("kill-switch");
