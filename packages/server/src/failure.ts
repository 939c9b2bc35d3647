/** A failure that the operator can fix. They see only its messages. */
export class Failure extends Error {
  readonly reasons: readonly string[];
  /** The code of Reeve for it, for programs; `undefined` where there is none. */
  readonly code: string | undefined = undefined;

  constructor(...reasons: string[]) {
    super(reasons.join("; "));
    this.reasons = reasons;
  }
}
