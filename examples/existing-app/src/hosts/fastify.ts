import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import cors from "@fastify/cors";
import formbody from "@fastify/formbody";
import helmet from "@fastify/helmet";
import session from "@fastify/session";
import files from "@fastify/static";
import swagger from "@fastify/swagger";
import { reeve } from "@reeve/adapter-fastify";
import fastify, { type FastifyReply } from "fastify";
import {
  BODY_LIMIT,
  type HostSettings,
  ORIGIN,
  PAGES,
  PUBLIC,
  type RunningHost,
  routesOf,
  SESSION_SECRET,
} from "../host.js";
import { type Answer, type Ask, NOT_FOUND, refusalOf } from "../shop.js";

/** The shop on Fastify. */
export async function startFastify(settings: HostSettings): Promise<RunningHost> {
  const { governance } = settings;
  const app = fastify({ bodyLimit: BODY_LIMIT });
  const mount = async () => {
    if (governance) await app.register(reeve, { prefix: governance.prefix, controlPlane: governance.controlPlane });
  };
  if (governance?.when === "first") await mount();
  await app.register(swagger, { openapi: { info: { title: "The shop", version: "1.0.0" } } });
  await app.register(helmet);
  await app.register(cors, { origin: ORIGIN, credentials: true });
  await app.register(compress);
  await app.register(cookie);
  await app.register(session, { secret: SESSION_SECRET, saveUninitialized: false, cookie: { secure: false } });
  await app.register(formbody);
  for (const { method, path, summary, answer } of routesOf(settings)) {
    app[method](path, { schema: { summary } }, async (request, reply) =>
      send(reply, await answer(request as unknown as Ask)),
    );
  }
  app.get("/api/openapi.json", { schema: { hide: true } }, async () => app.swagger());
  await app.register(files, { root: PUBLIC });
  if (governance?.when === "last") await mount();
  app.setNotFoundHandler((request, reply) =>
    request.method === "GET" && PAGES.test(request.url) ? reply.sendFile("index.html") : send(reply, NOT_FOUND),
  );
  app.setErrorHandler((error, _request, reply) => send(reply, refusalOf(error)));
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { url, close: () => app.close() };
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).send(body);
}
