import { LIMITS } from "#cel/limits.js";
import { ABSENT } from "#cel/value-engine.js";
import { type Allowance, ExpressionError } from "#ports/expressions.js";
import type { Mapping, Template } from "./read-mapping.js";

type Json = Readonly<Record<string, unknown>>;

/** The requests of a mapping for one message, each with what it takes from the top; or why there are none. */
export type Resolved = { readonly questions: readonly Json[] } | { readonly fault: string };

/** Fills in a mapping. `values` are those of the language that it was read in. */
export function resolveMapping({ envelope, request }: Mapping, values: unknown): Resolved {
  const allowance: Allowance = { steps: LIMITS.policySteps };
  try {
    const filled = filledIn(request, values, allowance) as Json;
    if (envelope === "evaluation") return { questions: [filled] };
    const { evaluations, ...shared } = filled;
    return { questions: (evaluations as readonly Json[]).map((own) => ({ ...shared, ...own })) };
  } catch (thrown) {
    if (thrown instanceof ExpressionError) return { fault: thrown.message };
    throw thrown;
  }
}

function filledIn(template: Template, values: unknown, allowance: Allowance): unknown {
  switch (template.kind) {
    case "literal":
      return template.value;
    case "list":
      return template.items.map((one) => filledIn(one, values, allowance)).filter((one) => one !== ABSENT);
    case "object":
      return Object.fromEntries(
        [...template.members]
          .map(([name, inner]) => [name, filledIn(inner, values, allowance)] as const)
          .filter(([, value]) => value !== ABSENT),
      );
    case "expression":
      return resultOf(template, values, allowance);
  }
}

function resultOf(
  { source, program }: Template & { readonly kind: "expression" },
  values: unknown,
  allowance: Allowance,
): unknown {
  try {
    return program.run(values, allowance);
  } catch (thrown) {
    if (thrown instanceof ExpressionError) throw new ExpressionError(`"$${source}" has no value. ${thrown.message}`);
    throw thrown;
  }
}
