import { METHODS } from "node:http";
import { type ControlPlane, type Mount, mountAt, type NeutralRequest, readBytes } from "@reeve/core";
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  HTTPMethods,
  RouteOptions,
} from "fastify";

/** What the plugin needs: the control plane. The prefix is the one Fastify's `register` takes. */
export interface ReeveOptions {
  readonly controlPlane: ControlPlane;
  /** Also answers what is under /api/v1 and no operation of Reeve's, with 404 or 405, instead of leaving it to the host. */
  readonly exclusive?: boolean;
}

type Answering = Pick<RouteOptions, "onRequest" | "schema" | "handler">;

/** As the host's own description of its routes is told what to leave out. */
const HIDDEN: FastifySchema & { readonly hide: boolean } = { hide: true };

/** Parameters of operations are no longer than this. */
const PARAMETER = 100;

/**
 * Fastify plugin: `app.register(reeve, { controlPlane })`, or with `prefix: "/governance"`. Each operation is a route, hidden from
 * the host's own description, that answers before Fastify parses the body. A route of the host with the same method and path is
 * refused at start.
 */
export async function reeve(app: FastifyInstance, { controlPlane, exclusive = false }: ReeveOptions): Promise<void> {
  const mount = mountAt(app.prefix);
  refuseTwice(app, mount);
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const answered = await answer(controlPlane, mount, exclusive, request, reply);
    if (!answered) reply.callNotFound();
    return reply;
  };
  // The hook always ends the request, so the handler behind it is never reached.
  const route: Answering = { onRequest, schema: HIDDEN, handler: async (_request, reply) => reply };
  if (exclusive) return claimAll(app, route);
  checkParameters(app);
  for (const { method, path } of controlPlane.operations) {
    const methods = method === "GET" ? ["GET", "HEAD"] : [method];
    add(app, { ...route, method: methods, url: path.replaceAll(/\{(\w+)\}/g, ":$1") });
  }
}

const mounts = new WeakMap<object, Set<string>>();

/** Of two mounts at one place, whatever their control planes, the second could never answer. */
function refuseTwice({ server }: FastifyInstance, { path }: Mount): void {
  const taken = mounts.get(server) ?? new Set();
  if (taken.has(path))
    throw new Error(`Reeve is mounted twice at ${path || "/"}: register it once, or under two prefixes.`);
  mounts.set(server, taken.add(path));
}

/** Takes everything below the prefix, in every method that Node knows. */
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

/** A route whose parameter is longer than the host allows is not found, whatever stands there. */
function checkParameters({ initialConfig }: FastifyInstance): void {
  const config = initialConfig as { maxParamLength?: number; routerOptions?: { maxParamLength?: number } };
  const most = config.routerOptions?.maxParamLength ?? config.maxParamLength ?? PARAMETER;
  if (most < PARAMETER) {
    throw new Error(`maxParamLength: ${most} is less than the ${PARAMETER} that ids in paths need; raise it.`);
  }
}

/**
 * For Fastify's `frameworkErrors` option: a path with a broken percent-escape never reaches a plugin. Where Reeve is mounted
 * `exclusive`, it gets the control plane's answer this way.
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
    body: (limit) => readBytes(raw, limit),
    remoteAddress: ip,
    mountPath,
    exclusive,
    host: request,
  };
}
