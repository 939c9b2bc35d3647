import type { ASTNode } from "@marcbachmann/cel-js";
import { type Allowance, ExpressionError } from "../ports/expressions.js";
import { nodeCost, operandCostOf, readingCost } from "./costs.js";
import { LIMITS } from "./limits.js";
import { comprehensionOf, visit } from "./paths.js";

/** Counts the cost of an evaluation in steps of about 30 ns, and stops it at its limit. */
export class Meter {
  #most = 0;
  #left = 0;

  get left(): number {
    return this.#left;
  }

  /** Call before an evaluation. */
  start(allowance: Allowance | undefined): void {
    this.#most = Math.min(LIMITS.steps, allowance?.steps ?? LIMITS.steps);
    this.#left = this.#most;
  }

  charge(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw TOO_EXPENSIVE;
  }

  /**
   * Call after an evaluation, whatever its result. It throws once more, because `||` and comprehensions swallow errors,
   * including the meter's.
   */
  end(allowance: Allowance | undefined): void {
    if (allowance) allowance.steps -= this.#most - this.#left;
    if (this.#left < 0) throw TOO_EXPENSIVE;
  }
}

/** Made once, because a running loop throws it for every remaining item. */
const TOO_EXPENSIVE = new ExpressionError("It takes more steps than it may.");
/** The cost of an error that is swallowed. The library records the source position of each. */
const ERROR_STEPS = 1_000;

type Evaluate = (ev: unknown, ast: unknown, ctx: unknown) => unknown;

/**
 * What the library keeps on a node beyond its types: the evaluation, and after the type check the function behind it.
 */
interface Inner {
  evaluate: Evaluate;
  handle: (...operands: unknown[]) => unknown;
  readonly meta: {
    readonly alternate?: Inner;
    readonly macro?: { readonly evaluate: Evaluate };
    readonly evaluate: Evaluate;
  };
}

/** Adds a meter to a type-checked expression. */
export function meterOn(ast: ASTNode): Meter {
  const meter = new Meter();
  visit(ast, (node, _scope, depth) => {
    const comprehension = comprehensionOf(node);
    if (comprehension) {
      around(node, (inner) => (ev, ast, ctx) => {
        meter.charge(1);
        return inner(ev, ast, ctx);
      });
      for (const body of comprehension.bodies) chargeBody(body, meter);
    } else if (node.op === "map") around(node, (inner) => chargingKeys(inner, meter));
    else if (depth > 0 && (node.op === "||" || node.op === "&&"))
      around(node.args[0], (inner) => chargingErrors(inner, meter));
    else chargeOperands(node, meter);
  });
  return meter;
}

/** Charges a comprehension's body for all its nodes at each evaluation. */
function chargeBody(body: ASTNode, meter: Meter): void {
  let steps = 1;
  visit(body, (node) => {
    steps += nodeCost(node);
  });
  around(body, (inner) => {
    const run = chargingErrors(inner, meter);
    return (ev, ast, ctx) => {
      meter.charge(steps);
      return run(ev, ast, ctx);
    };
  });
}

function chargingErrors(inner: Evaluate, meter: Meter): Evaluate {
  return (ev, ast, ctx) => {
    try {
      return inner(ev, ast, ctx);
    } catch (thrown) {
      meter.charge(ERROR_STEPS);
      throw thrown;
    }
  };
}

function chargingKeys(inner: Evaluate, meter: Meter): Evaluate {
  return (ev, ast, ctx) => {
    const made = inner(ev, ast, ctx);
    meter.charge(Object.keys(made as object).reduce((sum, key) => sum + readingCost(key), 0));
    return made;
  };
}

function chargeOperands(node: ASTNode, meter: Meter): void {
  const cost = operandCostOf(node);
  const inner = node as unknown as Inner;
  const { handle } = inner;
  if (!cost) return;
  // A function gets its operands as one list, an operator one by one.
  const asList = node.op === "call" || node.op === "rcall";
  inner.handle = asList
    ? (operands, ...more) => {
        const [one, other] = operands as unknown[];
        meter.charge(cost(one, other, meter.left));
        return handle(operands, ...more);
      }
    : (one, other, ...more) => {
        meter.charge(cost(one, other, meter.left));
        return handle(one, other, ...more);
      };
}

/** Wraps the evaluation of a node. */
function around(node: ASTNode, put: (inner: Evaluate) => Evaluate): void {
  const inner = node as unknown as Inner;
  inner.evaluate = put(Object.hasOwn(inner, "evaluate") ? inner.evaluate : evaluationOf(inner));
}

/** The library's evaluation of a node: that of its rewritten form, its macro or its operator. */
function evaluationOf({ meta: { alternate, macro, evaluate } }: Inner): Evaluate {
  if (alternate) return (ev, _ast, ctx) => alternate.evaluate(ev, alternate, ctx);
  if (macro) return (ev, _ast, ctx) => macro.evaluate(ev, macro, ctx);
  return evaluate;
}
