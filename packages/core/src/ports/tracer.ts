/** A span of OpenTelemetry, as far as it is used here. */
export interface Span {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}

/** What `trace.getTracer()` of `@opentelemetry/api` gives. */
export interface Tracer {
  startActiveSpan<T>(name: string, options: object, work: (span: Span) => Promise<T>): Promise<T>;
}
