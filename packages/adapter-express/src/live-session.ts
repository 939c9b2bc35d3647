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
  /** The tenant of a request, as the host has authenticated it. Never taken from what the caller says. */
  readonly tenantOf: (request: HostRequest) => string | undefined | Promise<string | undefined>;
  /** The header that names the session; `x-session-id` when absent. */
  readonly header?: string;
}

const guards = new WeakMap<object, SessionGuard>();

/** The guard of the session that a request belongs to, behind `requireLiveSession`. */
export function sessionGuardOf(request: object): SessionGuard {
  const guard = guards.get(request);
  if (!guard) throw new Error("The request did not pass requireLiveSession.");
  return guard;
}

/**
 * Middleware for gateways: requests of a session that may not go on get 403, and those under way are cut off when it is
 * terminated. 400 without the header, 404 for a session that is not the tenant's.
 */
export function requireLiveSession(controlPlane: ControlPlane, options: LiveSessionOptions) {
  const { tenantOf, header = "x-session-id", ...settings } = options;
  const gate = sessionGate(controlPlane, settings);
  return (request: HostRequest, response: ServerResponse, next: (error?: unknown) => void): void => {
    const admitting = async () => {
      const admission = await gate.admit(await tenantOf(request), request.headers[header.toLowerCase()]);
      if ("refusal" in admission) return writeResponse(response, admission.refusal);
      guards.set(request, admission.guard);
      endWithSession(response, admission, (refusal) => writeResponse(response, refusal));
      next();
    };
    admitting().catch(next);
  };
}
