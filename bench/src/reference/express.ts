import express, { type ErrorRequestHandler, type Response } from "express";
import { type Answer, problemOf, type Service } from "./service.js";

/** The handlers in Express. */
export function expressReference(service: Service) {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  const json = express.json({ limit: 262_144 });
  app.get("/api/v1/ai-assets/:id", async (request, response) => {
    const caller = await service.caller(request.headers.authorization);
    send(response, await service.read(caller, request.params.id));
  });
  app.get("/api/v1/ai-assets", async (request, response) => {
    const caller = await service.caller(request.headers.authorization);
    send(response, await service.list(caller, request.query));
  });
  app.post("/api/v1/ai-assets", json, async (request, response) => {
    const caller = await service.caller(request.headers.authorization);
    const { headers, ...answer } = await service.create(caller, request.body);
    send(response.status(201).set(headers), answer);
  });
  app.patch("/api/v1/ai-assets/:id/lifecycle", json, async (request, response) => {
    const caller = await service.caller(request.headers.authorization);
    send(response, await service.move(caller, String(request.params.id), request.body));
  });
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    const { status, body } = problemOf(error);
    response.status(status).type("application/problem+json").send(JSON.stringify(body));
  };
  app.use(onError);
  return app;
}

function send(response: Response, { body, version }: Answer): void {
  if (version !== undefined) response.set("etag", `"${version}"`);
  if (typeof body === "string") response.type("json").send(body);
  else response.json(body);
}
