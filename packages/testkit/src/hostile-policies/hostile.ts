/** A policy that somebody might write to make a control plane slow, large or wrong, with one test that holds the worst values. */
export interface HostilePolicy {
  readonly name: string;
  /** `refused`: it does not compile. `ends`: it compiles, and its test ends. */
  readonly way: "refused" | "ends";
  /** The code of its first fault, or what its first test comes to. */
  readonly outcome: string;
  /** What it counts as: one expression, or all that a policy may have. */
  readonly size: "expression" | "policy";
  /** The body of `aiGovernance.validatePolicy`. */
  readonly body: { readonly [name: string]: unknown };
}

/** Name, expression, and the code of its fault or what it comes to: `deny` where it is true, `none` where false, or `error`. */
export type HostileExpression = readonly [name: string, expression: string, outcome: string];

const TYPE = { type: "t", id: "i" };

/** A policy over requests with the expression as its only rule. */
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

/** A part of an expression over and over. */
export const times = (count: number, part: string) => part.repeat(count);
