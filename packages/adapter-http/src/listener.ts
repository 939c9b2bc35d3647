import type { IncomingMessage, ServerResponse } from "node:http";
import { type ControlPlane, mountAt } from "@reeve/core";
import { nodeRequest } from "./request.js";
import { writeResponse } from "./response.js";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export interface ListenerOptions {
  /** The path that the control plane is mounted under; the root when absent. */
  readonly prefix?: string;
  /** Also answers unknown paths under /api/v1, with 404 or 405, instead of passing them on. */
  readonly exclusive?: boolean;
}

/** The prefixes of each listener made here, and of those that it passes requests on to. */
const mounts = new WeakMap<Listener, readonly string[]>();

/**
 * A listener for `node:http`: `createServer(reeveListener(controlPlane, app))`. Other requests go to `otherwise`, or
 * get 404 without it. Throws a TypeError for an invalid prefix and for a second mount at the same one.
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
