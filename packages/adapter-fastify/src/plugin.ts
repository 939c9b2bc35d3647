import { METHODS } from "node:http";
import { type ControlPlane, type Mount, mountAt, type NeutralRequest, nodeBody } from "@reeve/core";
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  HTTPMethods,
  RouteOptions,
} from "fastify";

/** Options of the plugin. Give the prefix to Fastify's `register`. */
export interface ReeveOptions {
  readonly controlPlane: ControlPlane;
  /** Also answers unknown paths under /api/v1, with 404 or 405, instead of leaving them to the host. */
  readonly exclusive?: boolean;
}

type Answering = Pick<RouteOptions, "onRequest" | "schema" | "handler">;

/** Hides a route from the host's own API description. */
const HIDDEN: FastifySchema & { readonly hide: boolean } = { hide: true };

/** The maximum length of an operation's parameter. */
const PARAMETER = 100;

/**
 * Fastify plugin: `app.register(reeve, { controlPlane })`, or with `prefix: "/governance"`. Each operation is a route,
 * hidden from the host's own description, that answers before Fastify parses the body. Start-up fails when a host's
 * route has the same method and path.
 */
export async function reeve(app: FastifyInstance, { controlPlane, exclusive = false }: ReeveOptions): Promise<void> {
  const mount = mountAt(app.prefix);
  refuseTwice(app, mount);
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const answered = await answer(controlPlane, mount, exclusive, request, reply);
    if (!answered) reply.callNotFound();
    return reply;
  };
  // The hook always ends the request, so this handler never runs.
  const route: Answering = { onRequest, schema: HIDDEN, handler: async (_request, reply) => reply };
  if (exclusive) return claimAll(app, route);
  checkParameters(app);
  for (const { method, path, below } of controlPlane.operations) {
    const methods = method === "GET" ? ["GET", "HEAD"] : [method];
    const url = path.replaceAll(/\{(\w+)\}/g, ":$1");
    add(app, { ...route, method: methods, url });
    if (below) add(app, { ...route, method: methods, url: `${url}/*` });
  }
}

const mounts = new WeakMap<object, Set<string>>();

/** Of two mounts at the same prefix the second could never answer, whatever its control plane. */
function refuseTwice({ server }: FastifyInstance, { path }: Mount): void {
  const taken = mounts.get(server) ?? new Set();
  if (taken.has(path))
    throw new Error(`Reeve is mounted twice at ${path || "/"}: register it once, or under two prefixes.`);
  mounts.set(server, taken.add(path));
}

/** Adds a catch-all route below the prefix for every method that Node knows. */
function claimAll(app: FastifyInstance, { handler, ...options }: Answering): void {
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method as HTTPMethods);
  }
  app.all("/*", { ...options, exposeHeadRoute: false }, handler);
}

function add(app: FastifyInstance, route: RouteOptions): void {
  try {
    app.route({ ...route, exposeHeadRoute: false });
  } catch (error) {
    if ((error as FastifyError).code !== "FST_ERR_DUPLICATED_ROUTE") throw error;
    const place = `${String(route.method).replace(",HEAD", "")} ${app.prefix}${route.url}`;
    throw new Error(
      `${place} is an operation of Reeve and a route of the host: mount Reeve under a prefix of its own.`,
      {
        cause: error,
      },
    );
  }
}

/** Fastify answers 404 for a parameter longer than the host's limit. */
function checkParameters({ initialConfig }: FastifyInstance): void {
  const config = initialConfig as { maxParamLength?: number; routerOptions?: { maxParamLength?: number } };
  const most = config.routerOptions?.maxParamLength ?? config.maxParamLength ?? PARAMETER;
  if (most < PARAMETER) {
    throw new Error(`maxParamLength: ${most} is less than the ${PARAMETER} that ids in paths need; raise it.`);
  }
}

/**
 * For Fastify's `frameworkErrors` option, because a path with a broken percent-escape never reaches a plugin. It
 * answers such paths like the control plane, where Reeve is mounted `exclusive`.
 */
export function reeveFrameworkErrors(controlPlane: ControlPlane, prefix = "") {
  const mount = mountAt(prefix);
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    answer(controlPlane, mount, true, request, reply)
      .then((answered) => (answered ? undefined : reply.send(error)))
      .catch((failure: unknown) => reply.send(failure));
  };
}

async function answer(
  controlPlane: ControlPlane,
  { path, targetOf }: Mount,
  exclusive: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const target = targetOf(request.raw.url ?? "/");
  const response = target && (await controlPlane.handle(neutralRequest(request, target, path, exclusive)));
  if (!response) return false;
  reply.code(response.status).headers(response.headers);
  reply.send(response.body);
  return true;
}

function neutralRequest(
  request: FastifyRequest,
  target: string,
  mountPath: string,
  exclusive: boolean,
): NeutralRequest {
  const { raw, ip } = request;
  return {
    method: raw.method ?? "GET",
    target,
    headers: raw.headersDistinct ?? raw.headers,
    body: (limit) => nodeBody(raw, limit),
    remoteAddress: ip,
    mountPath,
    exclusive,
    host: request,
  };
}
