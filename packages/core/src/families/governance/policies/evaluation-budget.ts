import { LIMITS } from "#cel/limits.js";
import type { Allowance } from "#ports/expressions.js";
import { EventLoopYielder } from "#store/event-loop.js";

/** How long policies are asked before other work of the process goes on, in ms. One expression more fits in a turn. */
const TURN = 10;

/**
 * What all policies may cost for one asset or request. Those that are only observed have a budget of their own, because
 * nothing may hang on them. Behind its budget a rule has no result, which is an error.
 */
export class Budget {
  readonly #left = { inForce: LIMITS.questionSteps as number, observed: LIMITS.observedSteps as number };

  private constructor(
    private readonly shared: Allowance,
    private readonly yielder: EventLoopYielder,
  ) {}

  /** Budgets of assets or requests that are asked one after another, and take turns of the event loop together. */
  static maker(most: number = Number.POSITIVE_INFINITY): () => Budget {
    const [shared, yielder] = [{ steps: most }, new EventLoopYielder(TURN)];
    return () => new Budget(shared, yielder);
  }

  /** Evaluates a policy with what it may cost, and takes what it has cost. */
  spend<T>(inForce: boolean, evaluate: (allowance: Allowance) => T): T {
    const allowance = this.#next(inForce);
    const most = allowance.steps;
    try {
      return evaluate(allowance);
    } finally {
      this.#take(inForce, most - allowance.steps);
    }
  }

  /** The same for an evaluation in steps, between which other work of the process may go on. */
  async spendInTurns<T>(inForce: boolean, evaluate: (allowance: Allowance) => Generator<void, T>): Promise<T> {
    const allowance = this.#next(inForce);
    const most = allowance.steps;
    try {
      const steps = evaluate(allowance);
      for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
        if (this.isDue) await this.pass();
      }
    } finally {
      this.#take(inForce, most - allowance.steps);
    }
  }

  #next(inForce: boolean): Allowance {
    return { steps: Math.min(LIMITS.policySteps, this.#left[inForce ? "inForce" : "observed"], this.shared.steps) };
  }

  #take(inForce: boolean, steps: number): void {
    this.#left[inForce ? "inForce" : "observed"] -= steps;
    this.shared.steps -= steps;
  }

  /** Whether a policy of this kind has gone without some of what it may cost. */
  isSpent(inForce: boolean): boolean {
    return Math.min(this.#left[inForce ? "inForce" : "observed"], this.shared.steps) < 0;
  }

  /** Whether other work of the process should go on before the next policy. */
  get isDue(): boolean {
    return this.yielder.isDue;
  }

  /** Lets other work of the process go on. */
  async pass(): Promise<void> {
    await this.yielder.pass();
  }
}
