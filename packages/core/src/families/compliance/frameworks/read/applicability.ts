import { celEngine } from "#cel/engine.js";
import { ASSET_TYPES, ENVIRONMENTS, LIFECYCLE, RISK_TIERS } from "#families/estate/index.js";
import { defineService } from "#kernel/config/environment.js";
import type { Compiled, Field, Vocabulary } from "#ports/expressions.js";
import { ExpressionError } from "#ports/expressions.js";

/** Counts of assets by counted field and value. */
export type EstateNumbers = Readonly<Record<(typeof COUNTED)[number][0], Readonly<Record<string, number>>>> & {
  readonly total: number;
};

/** The names that expressions use, the asset fields they count, and their values. None changes by time alone. */
export const COUNTED = [
  ["assetType", "assetType", ASSET_TYPES, "By their type"],
  ["riskTier", "riskTier", RISK_TIERS, "By their tier of risk"],
  ["environment", "environment", ENVIRONMENTS, "By where they run"],
  ["lifecycle", "status", LIFECYCLE, "By where they are in their life"],
] as const;

const count = (description: string): Field => ({ type: "int", description });

/** The variables of applicability expressions: counts of assets. */
export const ESTATE_VOCABULARY: Vocabulary = {
  estate: {
    description: "The numbers of the estate.",
    type: {
      object: {
        name: "Estate",
        fields: {
          total: count("All assets."),
          ...Object.fromEntries(
            COUNTED.map(([name, , values, description]): [string, Field] => [
              name,
              {
                description: `${description}.`,
                type: {
                  object: {
                    name: `EstateBy${name.charAt(0).toUpperCase()}${name.slice(1)}`,
                    fields: Object.fromEntries(values.map((value) => [value, count(`Assets that are ${value}.`)])),
                  },
                },
              },
            ]),
          ),
        },
      },
    },
  },
};

/** Compiles applicability expressions, with a cache of recently used ones. */
export const applicability = defineService("compliance.applicability", (env) => {
  const environment = celEngine(env).environment(ESTATE_VOCABULARY);
  const compiled = new Map<string, Compiled>();
  const compile = (source: string): Compiled => {
    const known = compiled.get(source) ?? environment.compile(source);
    if (compiled.size >= 1_000) compiled.clear();
    compiled.set(source, known);
    return known;
  };
  return {
    compile,
    /** Whether a control applies to an estate with these counts. `null` when the expression fails. */
    ask(numbers: EstateNumbers): (source: string | null) => boolean | null {
      const values = environment.values({ estate: numbers });
      return (source) => {
        if (source === null) return true;
        const result = compile(source);
        if (!result.ok) return null;
        try {
          return result.program.run(values);
        } catch (thrown) {
          if (thrown instanceof ExpressionError) return null;
          throw thrown;
        }
      };
    },
  };
});
