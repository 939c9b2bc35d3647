import { expect, it } from "vitest";
import { outOfDate } from "./mutant.js";
import { mutants } from "./mutants/index.js";

it.each(mutants.map((mutant) => [mutant.breaks, mutant] as const))(
  "the mistake applies still: %s",
  (_breaks, mutant) => {
    expect(outOfDate(mutant)).toBeUndefined();
  },
);
