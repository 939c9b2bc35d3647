import type { IncomingMessage, ServerResponse } from "node:http";
import { type ControlPlane, mountAt } from "@reeve/core";
import { nodeRequest } from "./request.js";
import { writeResponse } from "./response.js";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export interface ListenerOptions {
  /** The path the control plane is mounted under; the root when absent. */
  readonly prefix?: string;
  /** Also answers what is under /api/v1 and no operation of Reeve's, with 404 or 405, instead of passing it on. */
  readonly exclusive?: boolean;
}

/**
 * A listener for `node:http`: `createServer(reeveListener(controlPlane, app))`. What is not the control plane's goes on to
 * `otherwise`, and without it is 404.
 */
export function reeveListener(
  controlPlane: ControlPlane,
  otherwise: Listener = notFound,
  { prefix, exclusive = false }: ListenerOptions = {},
): Listener {
  const { path, targetOf } = mountAt(prefix);
  return (request, response) => {
    const target = targetOf(request.url ?? "/");
    if (target === undefined) return otherwise(request, response);
    controlPlane
      .handle(nodeRequest(request, { target, mountPath: path, exclusive }))
      .then((answer) => (answer ? writeResponse(response, answer) : otherwise(request, response)))
      .catch((error: unknown) => response.destroy(error as Error));
  };
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end();
}
