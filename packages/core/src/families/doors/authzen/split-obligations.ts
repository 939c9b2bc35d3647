import type { Evaluation } from "#families/governance/index.js";

type Obligations = Readonly<Evaluation["context"]["obligations"]>;

/** Obligations as their profile has them, beside warnings, which nobody has to act on. */
export function splitObligations(obligations: Obligations) {
  const warnings = obligations.filter(({ type }) => type === "warn").map(({ type: _, ...warning }) => warning);
  return { obligations: owedIn(obligations), ...(warnings.length > 0 ? { warnings } : {}) };
}

/** What must be done: id, type and properties of each. */
export function owedIn(obligations: Obligations) {
  return obligations.flatMap(({ id, type, properties }) => (type === "warn" ? [] : [{ id, type, properties }]));
}
