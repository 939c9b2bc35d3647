import type { components } from "./openapi.generated.js";

/** A problem document (RFC 9457), as every refusal is answered with. */
export type Problem = components["schemas"]["Problem"];

/** What went wrong, for programs; the reference of errors lists them. */
export type ProblemCode = Problem["code"];

/** The same in every copy of this package; `instanceof` knows the class of one copy only. */
const BRAND = Symbol.for("@reeve/client/ProblemError");

/** A refusal. `code` says which; the other members are those of the problem document, empty where it has none. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly status: number;
  /** `undefined` when something in between answered, as a proxy does, and no problem document came. */
  readonly code: ProblemCode | undefined;
  readonly requestId: string | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Every mistake of the request, each with the `pointer` into the body or the `parameter` it stands in. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** The conditions of the transition that was asked for, met and unmet. */
  readonly guards: NonNullable<Problem["guards"]>;
  /** The states that can be moved to instead. */
  readonly allowed: readonly string[];
  /** The whole document, for members that belong to single codes. */
  readonly problem: Partial<Problem>;

  constructor(
    readonly response: Response,
    body: unknown,
  ) {
    const problem: Partial<Problem> = typeof body === "object" && body !== null ? body : {};
    super(problem.detail ?? problem.title ?? `${response.status} ${response.statusText}`.trimEnd());
    this.problem = problem;
    this.status = response.status;
    this.code = problem.code;
    this.requestId = problem.requestId ?? response.headers.get("x-request-id") ?? undefined;
    this.retryable = problem.retryable ?? false;
    this.errors = problem.errors ?? [];
    this.guards = problem.guards ?? [];
    this.allowed = Array.isArray(problem.allowed) ? problem.allowed : [];
  }

  /** Whether a value is one, also of another copy of this package. */
  static is(value: unknown): value is ProblemError {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  static {
    Object.defineProperty(ProblemError.prototype, BRAND, { value: true });
  }
}

/** The refusal in an answer that is not ok. */
export async function problemOf(response: Response): Promise<ProblemError> {
  const text = await response.text();
  try {
    return new ProblemError(response, JSON.parse(text));
  } catch {
    return new ProblemError(response, undefined);
  }
}
