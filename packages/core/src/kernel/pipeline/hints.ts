import type { Transaction } from "#store/store.js";
import { StoreError } from "#store/store-error.js";
import type { Environment } from "../config/environment.js";
import type { Hint } from "../operation/operation.js";
import { ReadContext } from "../operation/read-context.js";
import type { Answer } from "./encode.js";
import type { Execution } from "./execution.js";
import type { ParsedInput } from "./input.js";

/** Looks up the hints of an operation once its transaction has committed. */
export class Hints {
  #found: Promise<readonly Hint[]> = Promise.resolve([]);

  constructor(
    private readonly env: Environment,
    private readonly execution: Execution,
    private readonly input: ParsedInput,
  ) {}

  /** Starts the look-up in a transaction that may commit. It drops what an earlier try asked for. */
  seek({ afterCommit }: Transaction): void {
    const { operation, principal, facts } = this.execution;
    const ctx = new ReadContext(this.env, facts, principal, afterCommit);
    const found = operation.hints?.(ctx, this.input) ?? Promise.resolve([]);
    this.#found = found.catch((error: unknown) => {
      const cause = { operation: operation.id, error: String(error) };
      if (!isAborted(error)) this.env.logger.warn(cause, "hints could not be looked for");
      return [];
    });
  }

  /**
   * Adds the hints to an answer. A replayed answer has none, because they would name what the first request created.
   */
  async added(answer: Answer): Promise<Answer> {
    const hints = await this.#found;
    if (hints.length === 0 || "idempotent-replayed" in answer.headers) return answer;
    const { mountPath } = this.execution.facts;
    const link = hints.map(({ path, by }) => `<${mountPath}${path}>; rel="related"; by="${by}"`).join(", ");
    return { ...answer, headers: { ...answer.headers, link } };
  }
}

/** The transaction did not commit, so there are no hints. */
const isAborted = (error: unknown) => StoreError.is(error) && error.code === "aborted";
