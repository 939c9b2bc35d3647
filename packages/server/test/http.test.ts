import { createPlane } from "@reeve/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { Drain } from "../src/http/drain.js";
import { front } from "../src/http/front.js";
import { expressServer } from "../src/http/server-express.js";
import { fastifyServer } from "../src/http/server-fastify.js";
import { ServerSpans } from "../src/http/server-span.js";

function newPlane() {
  const { controlPlane } = createPlane();
  onTestFinished(() => controlPlane.close());
  return controlPlane;
}

it.each([
  ["fastify", fastifyServer],
  ["express", expressServer],
])("a server on %s ends requests whose body does not come", async (_name, serverOf) => {
  const { server, close, listen } = await serverOf(newPlane());
  await listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(close);
  expect(server.requestTimeout).toBeGreaterThan(0);
  expect(server.requestTimeout).toBeLessThanOrEqual(60_000);
});

describe("the log of requests", () => {
  const app = "sapp_01JD3Z6T5W8Y9X7V4R2Q1P0N6M";

  it.each([
    ["HEAD", `/${"n".repeat(43)}/${app}?RelayState=r`, `/***/${app}`],
    ["GET", `/governance/${"n".repeat(43)}/${app}`, `/governance/***/${app}`],
    ["GET", `/api/v1/user/app/${app}`, `/api/v1/user/app/${app}`],
    ["GET", "/api/v1/ai-assets/ast_1?search=s", "/api/v1/ai-assets/ast_1"],
  ])("shows of %s %s the path %s, without what signs somebody on", async (method, target, path) => {
    const lines: object[] = [];
    const note = (fields: object) => void lines.push(fields);
    const log = { info: note, warn: note, error: note };
    const pages = new Map();
    const plane = newPlane();
    const options = { log, pages, peerOf: () => undefined, headers: {}, drain: new Drain() };
    const shown = front(plane, { ...options, spans: new ServerSpans(plane) });
    await shown.handle({ method, target, headers: {}, body: async () => undefined });
    expect(lines).toEqual([expect.objectContaining({ method, path })]);
  });
});
