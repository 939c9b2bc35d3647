import type { ServerResponse } from "node:http";
import type { NeutralResponse } from "@reeve/core";

/** Writes an answer of the control plane's, and ends the response. */
export function writeResponse(response: ServerResponse, { status, headers, body }: NeutralResponse): void {
  // Express names itself here; what the control plane answers names nothing.
  response.removeHeader("x-powered-by");
  response.writeHead(status, headers);
  response.end(body);
}
