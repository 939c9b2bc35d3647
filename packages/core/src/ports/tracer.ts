/** The part of an OpenTelemetry span that Reeve uses. */
export interface Span {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}

/** A tracer of OpenTelemetry, as `trace.getTracer()` returns it. */
export interface Tracer {
  startActiveSpan<T>(name: string, options: object, work: (span: Span) => Promise<T>): Promise<T>;
}
