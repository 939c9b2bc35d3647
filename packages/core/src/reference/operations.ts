import { operations as declared } from "../families/index.js";
import type { DescribedOperation } from "../kernel/operation/operation.js";

/** Every operation there is, in the order of the reference. Typed as a list, as the type of each would be a book. */
export const operations: readonly DescribedOperation[] = declared;
