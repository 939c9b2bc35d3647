import { type ErrorCode, ReeveError } from "./errors.js";

/** Problem types of another protocol, by the codes of refusals here. */
export type Problems = Readonly<Partial<Record<ErrorCode, Problem>>>;

interface Problem {
  readonly type: string;
  /** The code that has the status which the protocol wants, where that differs. */
  readonly code?: ErrorCode;
}

/** The refusal under the name that another protocol has for it. */
export function namedAsIn(problems: Problems | undefined, error: ReeveError): ReeveError {
  const problem = problems?.[error.code];
  if (!problem) return error;
  const { type, code = error.code } = problem;
  const { errors, headers } = error;
  return new ReeveError(code, error.detail, { errors, headers, members: { ...error.members, type } });
}
