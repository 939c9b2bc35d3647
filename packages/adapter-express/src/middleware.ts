import type { ServerResponse } from "node:http";
import { writeResponse } from "@reeve/adapter-http";
import type { ControlPlane } from "@reeve/core";
import { type HostRequest, neutralRequest } from "./request.js";
import { type HostApp, mountedTwice, routeConflicts } from "./route-conflicts.js";

export interface ReeveOptions {
  /** Also answers unknown paths under /api/v1, with 404 or 405, instead of passing them on. */
  readonly exclusive?: boolean;
}

/** Passes a request on to the host. */
type Next = (error?: unknown) => void;

/** All middleware made by this function. */
const mounts = new WeakSet<object>();

/**
 * Middleware that answers the operations of the control plane and calls `next()` for all else:
 * `app.use(reeve(controlPlane))`, or under a prefix, `app.use("/governance", reeve(controlPlane))`. Put it before
 * `express.json()`, so that it reads the body. At the first request, a process warning names routes of the app that
 * share a path with an operation, and a second mount at the same prefix.
 */
export function reeve(controlPlane: ControlPlane, { exclusive = false }: ReeveOptions = {}) {
  let checked = false;
  const middleware = (request: HostRequest, response: ServerResponse, next: Next): void => {
    if (!checked) {
      checked = true;
      const { app, baseUrl = "" } = request as HostRequest & { app?: HostApp };
      const faults = [
        ...mountedTwice(app, mounts, baseUrl),
        ...routeConflicts(app, middleware, baseUrl, controlPlane.operations),
      ];
      for (const fault of faults) process.emitWarning(fault, "ReeveWarning");
    }
    controlPlane
      .handle(neutralRequest(request, exclusive))
      .then((answer) => (answer ? writeResponse(response, answer) : next()))
      .catch(next);
  };
  mounts.add(middleware);
  return middleware;
}
