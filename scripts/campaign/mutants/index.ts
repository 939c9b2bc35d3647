import type { Mutant } from "../mutant.js";
import { estate } from "./estate.js";
import { kernel } from "./kernel.js";

/** Mistakes that no test once saw, area by area. */
export const mutants: readonly Mutant[] = [...kernel, ...estate];
