import type { ServerResponse } from "node:http";
import type { NeutralResponse } from "@reeve/core";

/** Writes the control plane's answer and ends the response. */
export function writeResponse(response: ServerResponse, { status, headers, body }: NeutralResponse): void {
  // Express adds this header, and the control plane's answers do not have it.
  response.removeHeader("x-powered-by");
  response.writeHead(status, headers);
  response.end(body);
}
