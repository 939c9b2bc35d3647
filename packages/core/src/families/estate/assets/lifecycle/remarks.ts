/** What a caller says of a move, for its event. */
export interface Remarks {
  readonly reason?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}
