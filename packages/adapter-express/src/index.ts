import type { IncomingMessage, ServerResponse } from "node:http";
import type { ControlPlane } from "@reeve/core";
import { neutralRequest } from "./request.js";
import { write } from "./write.js";

export { type LiveSessionOptions, requireLiveSession, sessionGuardOf } from "./live-session.js";

export type { HostRequest } from "./request.js";

/** Calls on to whatever comes after the control plane in the host. */
type Next = (error?: unknown) => void;

/**
 * Middleware that answers what is the control plane's and calls `next()` for all else: `app.use(reeve(controlPlane))`, or
 * under a prefix, `app.use("/governance", reeve(controlPlane))`. Put it before `express.json()`, so that it sees the bytes.
 */
export function reeve(controlPlane: ControlPlane) {
  return (request: IncomingMessage, response: ServerResponse, next: Next): void => {
    controlPlane
      .handle(neutralRequest(request))
      .then((answer) => (answer ? write(response, answer) : next()))
      .catch(next);
  };
}

/**
 * A plain `node:http` listener: `createServer(reeveListener(controlPlane, app))`. In front of Express it answers without
 * the cost that Express adds to every request; `otherwise` gets what is not the control plane's.
 */
export function reeveListener(
  controlPlane: ControlPlane,
  otherwise: (request: IncomingMessage, response: ServerResponse) => void,
) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    controlPlane
      .handle(neutralRequest(request))
      .then((answer) => (answer ? write(response, answer) : otherwise(request, response)))
      .catch((error: unknown) => response.destroy(error as Error));
  };
}
