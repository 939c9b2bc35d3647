import type { Span, Tracer } from "../../ports/tracer.js";
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

/** Runs work in a span that becomes the parent of those it opens. Of a failure the span keeps the published code alone. */
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

/** Says which refusal a span ended with. Only a fault of the service or of another system makes it an error. */
export function markFailed(span: Span, thrown: unknown): void {
  const { code, status } = publishedError(thrown);
  span.setAttribute("error.type", code);
  if (status >= 500) span.setStatus({ code: ERROR });
}
