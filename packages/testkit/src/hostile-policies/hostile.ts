/** A policy meant to make a control plane slow, large or wrong, with one test on the worst values. */
export interface HostilePolicy {
  readonly name: string;
  /** `refused`: it does not compile. `ends`: it compiles, and its test ends. */
  readonly way: "refused" | "ends";
  /** The code of its first fault, or the outcome of its first test. */
  readonly outcome: string;
  /** Which limit it is measured by: that of one expression, or of a whole policy. */
  readonly size: "expression" | "policy";
  /** The body of `aiGovernance.validatePolicy`. */
  readonly body: { readonly [name: string]: unknown };
}

/** Name, expression and outcome: the code of its fault, `deny` if true, `none` if false, or `error`. */
export type HostileExpression = readonly [name: string, expression: string, outcome: string];

const TYPE = { type: "t", id: "i" };

/** A runtime policy with the expression as its only rule. */
export function hostile(
  way: HostilePolicy["way"],
  [name, expression, outcome]: HostileExpression,
  properties: object,
): HostilePolicy {
  const rules = [{ key: "hostile", effect: "deny", if: expression, message: "m" }];
  const input = { subject: TYPE, action: { name: "act", properties }, resource: TYPE, context: {} };
  const tests = way === "refused" ? [] : [{ name: "worst", input, expect: outcome }];
  const configuration = { key: "hostile", rules, tests };
  return { name, way, outcome, size: "expression", body: { kind: "runtime", configuration } };
}

/** A part of an expression, repeated. */
export const times = (count: number, part: string) => part.repeat(count);
