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

/** Where the listeners that were made here answer, themselves and behind them. */
const mounts = new WeakMap<Listener, readonly string[]>();

/**
 * A listener for `node:http`: `createServer(reeveListener(controlPlane, app))`. What is not the control plane's goes on to
 * `otherwise`, and without it is 404. Throws a TypeError for a prefix that is none, and for a second mount at one place.
 */
export function reeveListener(
  controlPlane: ControlPlane,
  otherwise: Listener = notFound,
  { prefix, exclusive = false }: ListenerOptions = {},
): Listener {
  const { path, targetOf } = mountAt(prefix);
  const behind = mounts.get(otherwise) ?? [];
  if (behind.includes(path))
    throw new TypeError(`prefix: Reeve is mounted twice at ${path || "/"}; the second listener would never answer`);
  const listener: Listener = (request, response) => {
    const target = targetOf(request.url ?? "/");
    if (target === undefined) return otherwise(request, response);
    controlPlane
      .handle(nodeRequest(request, { target, mountPath: path, exclusive }))
      .then((answer) => (answer ? writeResponse(response, answer) : otherwise(request, response)))
      .catch((error: unknown) => response.destroy(error as Error));
  };
  mounts.set(listener, [path, ...behind]);
  return listener;
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end();
}
