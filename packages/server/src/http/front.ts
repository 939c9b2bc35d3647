import type { ControlPlane, Logger, NeutralRequest, NeutralResponse } from "@reeve/core";

const PATH_SHOWN = 256;

/** The control plane as this server shows it: it answers every request, and logs each one without query, token and body. */
export function front(controlPlane: ControlPlane, log: Logger): ControlPlane {
  return {
    ...controlPlane,
    async handle(request) {
      const started = performance.now();
      const answer = (await controlPlane.handle(request)) ?? elsewhere(request);
      const facts = {
        method: request.method,
        path: pathOf(request).slice(0, PATH_SHOWN),
        status: answer.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
        operationId: answer.operationId,
        requestId: answer.headers["x-request-id"],
      };
      if (answer.status >= 500) log.warn(facts, "request");
      else log.info(facts, "request");
      return answer;
    },
  };
}

/** What is not the control plane's: the bare address leads to the reference page, and nothing else is here. */
function elsewhere(request: NeutralRequest): NeutralResponse {
  const reading = request.method === "GET" || request.method === "HEAD";
  if (reading && pathOf(request) === "/") return { status: 302, headers: { location: "/docs" }, body: undefined };
  const problem = { type: "about:blank", title: "Not Found", status: 404, detail: "See /docs for what is here." };
  return {
    status: 404,
    headers: { "content-type": "application/problem+json; charset=utf-8", "cache-control": "no-store" },
    body: request.method === "HEAD" ? undefined : JSON.stringify(problem),
  };
}

function pathOf({ target }: NeutralRequest): string {
  const query = target.indexOf("?");
  return query < 0 ? target : target.slice(0, query);
}
