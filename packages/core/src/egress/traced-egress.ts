import { inSpan, SPAN_KIND, type SpanFacts } from "../kernel/async/span.js";
import type { ConnectingEgress, Egress, EgressRequest, StreamingEgress } from "../ports/egress.js";
import type { Tracer } from "../ports/tracer.js";

/** An egress with a span for each call until its answer begins. It sends no trace headers. */
export function tracedEgress(egress: Egress, tracer: Tracer): Egress {
  const traced = <Answer extends { readonly status: number }>(request: EgressRequest, send: () => Promise<Answer>) =>
    inSpan(tracer, factsOf(request), async (span) => {
      const answer = await send();
      span.setAttribute("http.response.status_code", answer.status);
      return answer;
    });
  const request: Egress["request"] = (given) => traced(given, () => egress.request(given));
  if (!("stream" in egress)) return { request };
  const streaming = egress as StreamingEgress;
  const stream: StreamingEgress["stream"] = (given) => traced(given, () => streaming.stream(given));
  if (!("address" in egress)) return { request, stream } as StreamingEgress;
  const { address } = egress as ConnectingEgress;
  return { request, stream, address } as ConnectingEgress;
}

/** Host and port alone: paths and queries may hold secrets. */
function factsOf({ url, method = "GET" }: EgressRequest): SpanFacts {
  const { hostname, port, protocol } = URL.canParse(url) ? new URL(url) : { hostname: "", port: "", protocol: "" };
  const attributes = {
    "http.request.method": method,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "http:" ? 80 : 443),
  };
  return { name: method, kind: SPAN_KIND.client, attributes };
}
