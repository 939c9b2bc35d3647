import {
  context,
  isSpanContextValid,
  ProxyTracerProvider,
  propagation,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { ControlPlane, NeutralRequest, NeutralResponse } from "@reeve/core";
import manifest from "../../package.json" with { type: "json" };

/** Without a registered SDK its spans do nothing. */
export const serverTracer = (): Tracer => trace.getTracer(manifest.name, manifest.version);

/** Answers in a span of the server, which is a child of the caller's and names its route as the HTTP conventions say. */
export class ServerSpans {
  readonly #routes: ReadonlyMap<string, string>;

  constructor({ operations }: Pick<ControlPlane, "operations">) {
    this.#routes = new Map(operations.map(({ id, path }) => [id, path]));
  }

  /** `path` is the path that may be shown. Where instrumentation of the host has made a span of the request, it makes none. */
  async around(
    request: NeutralRequest,
    path: string,
    answer: () => Promise<NeutralResponse>,
  ): Promise<NeutralResponse> {
    if (trace.getActiveSpan()) return answer();
    const { method } = request;
    const attributes = { "http.request.method": method, "url.path": path };
    // It has the caller's baggage too.
    const caller = propagation.extract(context.active(), request.headers ?? {});
    const span = serverTracer().startSpan(method, { kind: SpanKind.SERVER, attributes }, caller);
    try {
      const given = await context.with(trace.setSpan(caller, span), answer);
      const route = this.#routes.get(given.operationId ?? "");
      if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute("http.route", route);
      span.setAttribute("http.response.status_code", given.status);
      if (given.status >= 500) {
        span.setAttribute("error.type", given.errorCode ?? String(given.status));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      return given;
    } finally {
      span.end();
    }
  }
}

/** The trace that goes on here, for the log. */
export function traceNow(): { readonly traceId?: string } {
  const found = trace.getActiveSpan()?.spanContext();
  return found && isSpanContextValid(found) ? { traceId: found.traceId } : {};
}

/** Whether a process was told to trace, and no SDK took its spans up. */
export function isUntraced(env: NodeJS.ProcessEnv): boolean {
  const isWanted = Object.keys(env).some((name) => name.startsWith("OTEL_")) && env.OTEL_SDK_DISABLED !== "true";
  const provider = trace.getTracerProvider();
  return isWanted && provider instanceof ProxyTracerProvider && provider.getDelegateTracer("reeve") === undefined;
}
