/** A reason to stop that the operator can do something about; its messages are all they are shown. */
export class Failure extends Error {
  readonly reasons: readonly string[];

  constructor(...reasons: string[]) {
    super(reasons.join("; "));
    this.reasons = reasons;
  }
}
