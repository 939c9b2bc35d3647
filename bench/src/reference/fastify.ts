import Fastify, { type FastifyReply } from "fastify";
import { type Answer, problemOf, type Service } from "./service.js";

interface ById {
  Params: { id: string };
}

/** The handlers in Fastify. */
export function fastifyReference(service: Service) {
  const app = Fastify({ bodyLimit: 262_144 });
  app.setErrorHandler((error, _request, reply) => {
    const { status, body } = problemOf(error);
    return reply.code(status).type("application/problem+json").send(body);
  });
  app.get<ById>("/api/v1/ai-assets/:id", async (request, reply) => {
    const caller = await service.caller(request.headers.authorization);
    return send(reply, await service.read(caller, request.params.id));
  });
  app.get("/api/v1/ai-assets", async (request, reply) => {
    const caller = await service.caller(request.headers.authorization);
    return send(reply, await service.list(caller, request.query));
  });
  app.post("/api/v1/ai-assets", async (request, reply) => {
    const caller = await service.caller(request.headers.authorization);
    const { headers, ...answer } = await service.create(caller, request.body);
    return send(reply.code(201).headers(headers), answer);
  });
  app.patch<ById>("/api/v1/ai-assets/:id/lifecycle", async (request, reply) => {
    const caller = await service.caller(request.headers.authorization);
    return send(reply, await service.move(caller, request.params.id, request.body));
  });
  return app;
}

function send(reply: FastifyReply, { body, version }: Answer): FastifyReply {
  if (version !== undefined) reply.header("etag", `"${version}"`);
  if (typeof body === "string") reply.type("application/json; charset=utf-8");
  return reply.send(body);
}
