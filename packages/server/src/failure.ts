/** A failure that the operator can fix. They see only its messages. */
export class Failure extends Error {
  readonly reasons: readonly string[];

  constructor(...reasons: string[]) {
    super(reasons.join("; "));
    this.reasons = reasons;
  }
}
