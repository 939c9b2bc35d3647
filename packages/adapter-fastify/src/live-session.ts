import {
  type ControlPlane,
  endWithSession,
  type NeutralResponse,
  type SessionGateOptions,
  type SessionGuard,
  sessionGate,
} from "@reeve/core";
import type { FastifyReply, FastifyRequest } from "fastify";

export interface LiveSessionOptions extends SessionGateOptions {
  /** The tenant of a request, from the host's own authentication. Never take it from the caller's input. */
  readonly tenantOf: (request: FastifyRequest) => string | undefined | Promise<string | undefined>;
  /** The header with the session's id; `x-session-id` when absent. */
  readonly header?: string;
}

const guards = new WeakMap<object, SessionGuard>();

/** The session guard of a request that has passed `requireLiveSession`. */
export function sessionGuardOf(request: FastifyRequest): SessionGuard {
  const guard = guards.get(request);
  if (!guard) throw new Error("The request did not pass requireLiveSession.");
  return guard;
}

/**
 * A `preHandler` (or `onRequest`) hook for gateways. Requests of a session that may not go on get 403, and running ones
 * are aborted when it is terminated. 400 without the header, 404 for a session of another tenant.
 */
export function requireLiveSession(controlPlane: ControlPlane, options: LiveSessionOptions) {
  const { tenantOf, header = "x-session-id", ...settings } = options;
  const gate = sessionGate(controlPlane, settings);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const admission = await gate.admit(await tenantOf(request), request.headers[header.toLowerCase()]);
    const refuse = ({ status, headers, body }: NeutralResponse) => reply.code(status).headers(headers).send(body);
    if ("refusal" in admission) return refuse(admission.refusal);
    guards.set(request, admission.guard);
    return endWithSession(reply.raw, admission, refuse) ? undefined : reply.hijack();
  };
}
