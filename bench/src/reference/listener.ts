import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type Answer, problemOf, Refusal, type Service } from "./service.js";

const PATH = "/api/v1/ai-assets";
const LIMIT = 262_144;

/** The handlers on plain `node:http`. */
export function listenerReference(service: Service): RequestListener {
  return (request, response) => {
    route(service, request, response).catch((error: unknown) => {
      const { status, body } = problemOf(error);
      write(response, status, JSON.stringify(body), { "content-type": "application/problem+json" });
    });
  };
}

async function route(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = request.url ?? "/";
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  const caller = await service.caller(request.headers.authorization);
  if (path === PATH && request.method === "GET") {
    const query = Object.fromEntries(new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1)));
    return send(response, 200, await service.list(caller, query));
  }
  if (path === PATH && request.method === "POST") {
    const { headers, ...answer } = await service.create(caller, await bodyOf(request));
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return send(response, 201, answer);
  }
  const [, id, action] = /^\/api\/v1\/ai-assets\/([^/]+)(?:\/(lifecycle))?$/.exec(path) ?? [];
  if (id !== undefined && action === undefined && request.method === "GET") {
    return send(response, 200, await service.read(caller, id));
  }
  if (id !== undefined && action !== undefined && request.method === "PATCH") {
    return send(response, 200, await service.move(caller, id, await bodyOf(request)));
  }
  throw new Refusal(404, "route_not_found");
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LIMIT) throw new Refusal(413, "body_too_large");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new Refusal(400, "invalid_json");
  }
}

function send(response: ServerResponse, status: number, { body, version }: Answer): void {
  const headers: Record<string, string> = { "content-type": "application/json; charset=utf-8" };
  if (version !== undefined) headers.etag = `"${version}"`;
  write(response, status, typeof body === "string" ? body : JSON.stringify(body), headers);
}

function write(response: ServerResponse, status: number, body: string, headers: Record<string, string>): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}
