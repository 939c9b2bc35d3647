import { operations as declared } from "../families/index.js";
import { describedOperations } from "../kernel/operation/described.js";
import type { DescribedOperation } from "../kernel/operation/operation.js";

/** Every operation, in the order of the reference. Typed as a list, because their literal types would be too large. */
export const operations: readonly DescribedOperation[] = describedOperations(declared);
