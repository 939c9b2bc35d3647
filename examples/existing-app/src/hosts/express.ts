import { createServer } from "node:http";
import { createRequire } from "node:module";
import { reeve } from "@reeve/adapter-express";
import compression from "compression";
import cors from "cors";
import express, { type NextFunction, type Request, type Response } from "express";
import session from "express-session";
import helmet from "helmet";
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

/** The shop on a version of Express. */
const startOn = (framework: typeof express) => async (settings: HostSettings) => {
  const { governance } = settings;
  const routes = routesOf(settings);
  const app = framework();
  const mount = () => governance && app.use(governance.prefix || "/", reeve(governance.controlPlane));
  if (governance?.when === "first") mount();
  app.use(helmet(), cors({ origin: ORIGIN, credentials: true }), compression());
  app.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }));
  app.use(framework.json({ limit: BODY_LIMIT }), framework.urlencoded({ extended: false }));
  for (const route of routes) app[route.method](route.path, handlerOf(route));
  app.get("/api/openapi.json", (_request, response) => void response.json(describe(routes)));
  app.use(framework.static(PUBLIC));
  if (governance?.when === "last") mount();
  app.get(PAGES, (_request, response) => response.sendFile(INDEX));
  app.use((_request, response) => reply(response, NOT_FOUND));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    reply(response, refusalOf(error)),
  );
  return listening(createServer(app));
};

function handlerOf(route: Route) {
  return (request: Request, response: Response, next: NextFunction) => {
    route.answer(request as unknown as Ask).then((answer) => reply(response, answer), next);
  };
}

function reply(response: Response, { status, body }: Answer): void {
  response.status(status).json(body);
}

export const startExpress5: (settings: HostSettings) => Promise<RunningHost> = startOn(express);
export const startExpress4: (settings: HostSettings) => Promise<RunningHost> = startOn(
  createRequire(import.meta.url)("express-4") as typeof express,
);
