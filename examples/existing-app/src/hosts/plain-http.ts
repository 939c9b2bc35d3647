import { createReadStream } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { reeveListener } from "@reeve/adapter-http";
import { json, urlencoded } from "body-parser";
import compression from "compression";
import cors from "cors";
import session from "express-session";
import helmet from "helmet";
import serveStatic from "serve-static";
import {
  BODY_LIMIT,
  describe,
  type HostSettings,
  INDEX,
  listening,
  ORIGIN,
  PAGES,
  PUBLIC,
  type RunningHost,
  routesOf,
  SESSION_SECRET,
} from "../host.js";
import { type Answer, type Ask, NOT_FOUND, type Route, refusalOf } from "../shop.js";

/** Middleware of Connect and Express also runs on plain requests. */
type Step = (request: never, response: never, next: (error?: unknown) => void) => unknown;

/** The shop on Node's `http` only. */
export async function startPlainHttp(settings: HostSettings): Promise<RunningHost> {
  const { governance } = settings;
  const routes = routesOf(settings);
  const description = {
    ...settings.shop.fail,
    path: "/api/openapi.json",
    answer: async () => ({ status: 200, body: describe(routes) }),
  };
  const steps: readonly Step[] = [
    helmet(),
    cors({ origin: ORIGIN, credentials: true }),
    compression(),
    session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }),
    json({ limit: BODY_LIMIT }),
    urlencoded({ extended: false }),
    serveStatic(PUBLIC),
  ];
  const mounted = (otherwise: RequestListener, when: "first" | "last"): RequestListener =>
    governance?.when === when ? reeveListener(governance.controlPlane, otherwise, governance) : otherwise;
  const rest = mounted(page, "last");
  const app: RequestListener = async (request, response) => {
    try {
      for (const step of steps) await done(step, request, response);
      if (!(await answered([...routes, description], request, response))) rest(request, response);
    } catch (error) {
      send(response, refusalOf(error));
    }
  };
  return listening(createServer(mounted(app, "first")));
}

/** Resolves when middleware calls `next`, and never if it answers. */
function done(step: Step, request: IncomingMessage, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    step(request as never, response as never, (error) => (error ? reject(error) : resolve()));
  });
}

async function answered(
  routes: readonly Route[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { url = "/" } = request;
  if (!URL.canParse(url, "http://shop.example")) return false;
  const { pathname, searchParams } = new URL(url, "http://shop.example");
  for (const { method, path, answer } of routes) {
    const match = new RegExp(`^${path.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}$`).exec(pathname);
    if (!match || method.toUpperCase() !== request.method) continue;
    const found = { params: match.groups ?? {}, query: Object.fromEntries(searchParams) };
    const { body, session: kept } = request as IncomingMessage & Pick<Ask, "body" | "session">;
    send(response, await answer({ ...found, body, session: kept }));
    return true;
  }
  return false;
}

const page: RequestListener = (request, response) => {
  if (request.method !== "GET" || !PAGES.test(request.url ?? "/")) return send(response, NOT_FOUND);
  response.setHeader("content-type", "text/html; charset=utf-8");
  createReadStream(INDEX).pipe(response);
};

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}
