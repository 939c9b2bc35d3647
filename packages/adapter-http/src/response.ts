import type { ServerResponse } from "node:http";
import type { NeutralResponse } from "@reeve/core";

/** Writes the control plane's answer and ends the response, unless the host has answered in its place, as after a timeout. */
export function writeResponse(response: ServerResponse, { status, headers, body }: NeutralResponse): void {
  if (response.headersSent) return;
  // Express adds this header, and the control plane's answers do not have it.
  response.removeHeader("x-powered-by");
  response.writeHead(status, headers);
  response.end(body);
}
