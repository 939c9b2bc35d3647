import { METHODS } from "node:http";
import { type ControlPlane, type NeutralRequest, readBytes } from "@reeve/core";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";

export { type LiveSessionOptions, requireLiveSession, sessionGuardOf } from "./live-session.js";

/** What the plugin needs: the control plane. The prefix is the one Fastify's `register` takes. */
export interface ReeveOptions {
  readonly controlPlane: ControlPlane;
}

/**
 * Fastify plugin: `app.register(reeve, { controlPlane })`, or with `prefix: "/governance"`. It answers before Fastify parses
 * the body; what is not the control plane's goes on to the host's not-found handler.
 */
export async function reeve(app: FastifyInstance, { controlPlane }: ReeveOptions): Promise<void> {
  const mountPath = app.prefix.replace(/\/$/, "");
  if (/[:*(]/.test(mountPath)) throw new Error(`The prefix "${mountPath}" has parameters: mount under a fixed one.`);
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method as HTTPMethods);
  }
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const answered = await answer(controlPlane, mountPath, request, reply);
    if (!answered) reply.callNotFound();
    return reply;
  };
  // The hook always ends the request, so the handler behind it is never reached.
  app.all("/*", { onRequest, exposeHeadRoute: false }, async (_request, reply) => reply);
}

/**
 * For Fastify's `frameworkErrors` option: a path with a broken percent-escape never reaches a plugin, and gets the control
 * plane's answer only this way.
 */
export function reeveFrameworkErrors(controlPlane: ControlPlane, prefix = "") {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    answer(controlPlane, prefix, request, reply)
      .then((answered) => (answered ? undefined : reply.send(error)))
      .catch((failure: unknown) => reply.send(failure));
  };
}

async function answer(
  controlPlane: ControlPlane,
  mountPath: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const target = targetBelow(mountPath, request.raw.url ?? "/");
  const response = target && (await controlPlane.handle(neutralRequest(request, target, mountPath)));
  if (!response) return false;
  reply.code(response.status).headers(response.headers);
  reply.send(response.body);
  return true;
}

/** The target with the prefix taken off; `undefined` when it stands elsewhere, as written. */
function targetBelow(mountPath: string, url: string): string | undefined {
  if (!url.startsWith(mountPath)) return undefined;
  const target = url.slice(mountPath.length);
  return mountPath === "" || target.startsWith("/") ? target : undefined;
}

function neutralRequest(request: FastifyRequest, target: string, mountPath: string): NeutralRequest {
  const { raw, ip } = request;
  return {
    method: raw.method ?? "GET",
    target,
    headers: raw.headersDistinct ?? raw.headers,
    body: (limit) => readBytes(raw, limit),
    remoteAddress: ip,
    mountPath,
    host: request,
  };
}
