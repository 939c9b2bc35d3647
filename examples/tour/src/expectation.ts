/** An answer that is not the expected one. */
export class Unexpected extends Error {
  constructor(
    readonly what: string,
    readonly expected: unknown,
    readonly got: unknown,
    readonly requestId?: string,
  ) {
    super(what);
  }
}

/** Throws unless both values are the same JSON. */
export function expectSame(what: string, got: unknown, expected: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(expected)) throw new Unexpected(what, expected, got);
}

/** Throws unless the condition holds. */
export function expectTrue(what: string, holds: boolean, got: unknown): void {
  if (!holds) throw new Unexpected(what, "what the sentence says", got);
}
