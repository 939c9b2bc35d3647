import type { ServerResponse } from "node:http";
import { writeResponse } from "@reeve/adapter-http";
import {
  type ControlPlane,
  endWithSession,
  type SessionGateOptions,
  type SessionGuard,
  sessionGate,
} from "@reeve/core";
import type { HostRequest } from "./request.js";

export interface LiveSessionOptions extends SessionGateOptions {
  /** The tenant of a request, from the host's own authentication. Never take it from the caller's input. */
  readonly tenantOf: (request: HostRequest) => string | undefined | Promise<string | undefined>;
  /** The header with the session's id; `x-session-id` when absent. */
  readonly header?: string;
}

const guards = new WeakMap<object, SessionGuard>();

/** The session guard of a request that has passed `requireLiveSession`. */
export function sessionGuardOf(request: object): SessionGuard {
  const guard = guards.get(request);
  if (!guard) throw new Error("The request did not pass requireLiveSession.");
  return guard;
}

/**
 * Middleware for gateways. Requests of a session that may not go on get 403, and running ones are aborted when it is
 * terminated. 400 without the header, 404 for a session of another tenant.
 */
export function requireLiveSession(controlPlane: ControlPlane, options: LiveSessionOptions) {
  const { tenantOf, header = "x-session-id", ...settings } = options;
  const gate = sessionGate(controlPlane, settings);
  return (request: HostRequest, response: ServerResponse, next: (error?: unknown) => void): void => {
    const admitting = async () => {
      const admission = await gate.admit(await tenantOf(request), request.headers[header.toLowerCase()]);
      if ("refusal" in admission) return writeResponse(response, admission.refusal);
      guards.set(request, admission.guard);
      if (endWithSession(response, admission, (refusal) => writeResponse(response, refusal))) next();
    };
    admitting().catch(next);
  };
}
