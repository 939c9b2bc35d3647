import { may } from "#families/support/actions/rules.js";

// For the type check only. The line marked as an error must be one, and the same line with a declared name must not.

export const declared = may("kill-switches");
// @ts-expect-error No permission of that name is declared.
export const misspelt = may("kill-switch");
