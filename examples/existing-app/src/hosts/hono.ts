import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { getSignedCookie, setSignedCookie } from "hono/cookie";
import { cors } from "hono/cors";
import { cloneRawRequest } from "hono/request";
import { secureHeaders } from "hono/secure-headers";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import {
  BODY_LIMIT,
  describe,
  type Governance,
  type HostSettings,
  listening,
  ORIGIN,
  PAGES,
  PUBLIC,
  type RunningHost,
  routesOf,
  SESSION_SECRET,
} from "../host.js";
import { type Answer, NOT_FOUND, refusalOf, ShopError } from "../shop.js";

type Env = { Variables: { body: unknown; session: { user?: string | undefined } } };

/** The shop on Hono. */
export async function startHono(settings: HostSettings): Promise<RunningHost> {
  const { governance } = settings;
  const routes = routesOf(settings);
  const app = new Hono<Env>();
  if (governance?.when === "first") app.use(`${governance.prefix}/*`, governed(governance));
  app.use(secureHeaders(), cors({ origin: ORIGIN, credentials: true }), compress());
  app.use(session, bodyLimit({ maxSize: BODY_LIMIT }), parsedBody);
  for (const { method, path, answer } of routes) {
    app[method](path, async (context) => {
      const { req, var: kept } = context;
      return send(context, await answer({ params: req.param(), query: req.query(), ...kept }));
    });
  }
  app.get("/api/openapi.json", (context) => context.json(describe(routes)));
  app.use(serveStatic({ root: PUBLIC }));
  if (governance?.when === "last") app.use(`${governance.prefix}/*`, governed(governance));
  app.get("*", (context, next) => (PAGES.test(context.req.path) ? page(context, next) : next()));
  app.notFound((context) => send(context, NOT_FOUND));
  app.onError((error, context) => send(context, refusalOf(error)));
  return listening(createAdaptorServer({ fetch: app.fetch }) as Server);
}

/** Rebuilds the request, because its body may have been read. */
function governed({ controlPlane, prefix }: Governance): MiddlewareHandler<Env> {
  return async (context, next) => {
    const answer = await controlPlane.fetch(await cloneRawRequest(context.req), { prefix });
    return answer ?? next();
  };
}

const page = serveStatic({ root: PUBLIC, path: "index.html" });

/** Keeps the session in a signed cookie. */
const session: MiddlewareHandler<Env> = async (context, next) => {
  const kept = { user: (await getSignedCookie(context, SESSION_SECRET, "session")) || undefined };
  const before = kept.user;
  context.set("session", kept);
  await next();
  if (kept.user && kept.user !== before) await setSignedCookie(context, "session", kept.user, SESSION_SECRET);
};

/** Reads every body before the routes do, like a body logger or validator. */
const parsedBody: MiddlewareHandler<Env> = async (context, next) => {
  const type = context.req.header("content-type") ?? "";
  if (type.startsWith("application/json")) {
    const text = await context.req.text();
    context.set("body", text === "" ? undefined : parsed(text));
  } else if (type.startsWith("application/x-www-form-urlencoded")) context.set("body", await context.req.parseBody());
  await next();
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ShopError(400, "That is no JSON.");
  }
}

function send(context: Context, { status, body }: Answer): Response {
  return context.json(body, status as ContentfulStatusCode);
}
