import type { Span, Tracer } from "#ports/tracer.js";
import { publishedError } from "../http/store-errors.js";

/** `SpanKind` of OpenTelemetry. */
export const SPAN_KIND = { internal: 0, client: 2 } as const;

/** `SpanStatusCode.ERROR` of OpenTelemetry. */
const ERROR = 2;

export interface SpanFacts {
  readonly name: string;
  readonly kind: (typeof SPAN_KIND)[keyof typeof SPAN_KIND];
  readonly attributes: Record<string, string | number>;
}

/**
 * Runs work in a span, the parent of those opened by the work. A failure leaves only its published code in the span.
 */
export function inSpan<T>(
  tracer: Tracer,
  { name, kind, attributes }: SpanFacts,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const spanned = async (span: Span) => {
    try {
      return await work(span);
    } catch (thrown) {
      markFailed(span, thrown);
      throw thrown;
    } finally {
      span.end();
    }
  };
  return tracer.startActiveSpan(name, { kind, attributes }, spanned);
}

/** Records a refusal in a span. Only a fault of the service or of another system marks the span as failed. */
export function markFailed(span: Span, thrown: unknown): void {
  const { code, status } = publishedError(thrown);
  span.setAttribute("error.type", code);
  if (status >= 500) span.setStatus({ code: ERROR });
}
