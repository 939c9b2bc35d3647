import { createPlane, createScene, HOST_NOT_FOUND } from "@reeve/testkit";
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reeve, reeveFrameworkErrors } from "../src/index.js";

const ASSETS = "/api/v1/ai-assets";
const json = { "content-type": "application/json" };

let plane: ReturnType<typeof createPlane>;
let token: string;
let app: FastifyInstance | undefined;
let url: string;

beforeEach(async () => {
  plane = createPlane();
  token = (await createScene(plane, "host")).owner.token;
});

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function serve(build: (app: FastifyInstance) => void, options: FastifyServerOptions = {}): Promise<void> {
  app = fastify(options);
  app.setNotFoundHandler((_request, reply) => reply.code(404).type("text/plain").send(HOST_NOT_FOUND));
  build(app);
  url = await app.listen({ host: "127.0.0.1", port: 0 });
}

async function ask(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  const parsed = answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : undefined;
  return { status: answer.status, headers: answer.headers, text, json: parsed };
}

describe("with settings of the host", () => {
  it("reads bodies before the host's parsers and limits do", async () => {
    await serve(
      (host) => {
        host.removeAllContentTypeParsers();
        host.addContentTypeParser("*", (_request, _payload, done) => done(new Error("the host's parser ran")));
        host.register(reeve, { controlPlane: plane.controlPlane });
      },
      { bodyLimit: 8 },
    );
    const created = await ask("POST", ASSETS, '{"name":"café 😀"}', json);
    expect({ status: created.status, name: created.json.name }).toEqual({ status: 201, name: "café 😀" });
    const twice = await ask("POST", ASSETS, '{"name":"x","name":"y"}', json);
    expect({ status: twice.status, code: twice.json.code }).toEqual({ status: 400, code: "invalid_json" });
  });

  it("takes what middleware of the host has parsed before it, as in @fastify/express", async () => {
    await serve((host) => {
      host.addHook("onRequest", async ({ raw }) => {
        const chunks: Buffer[] = [];
        for await (const chunk of raw) chunks.push(chunk as Buffer);
        if (raw.headers["x-kept"]) Object.assign(raw, { body: JSON.parse(Buffer.concat(chunks).toString()) });
      });
      host.register(reeve, { controlPlane: plane.controlPlane });
    });
    const kept = await ask("POST", ASSETS, '{"name":"parsed"}', { ...json, "x-kept": "yes" });
    expect([kept.status, kept.json.name]).toEqual([201, "parsed"]);
    expect((await ask("POST", ASSETS, '{"name":"lost"}', json)).status, "nothing is taken for empty").toBe(500);
  });

  it.each<[string, (bytes: Buffer) => unknown, string]>([
    ["bytes", (bytes) => bytes, "café 😀"],
    ["a text", (bytes) => bytes.toString("utf8"), "café 😀"],
    ["something else", () => ({ length: 2 }), "parsed"],
  ])("takes a rawBody that middleware keeps as %s", async (_kind, kept, name) => {
    await serve((host) => {
      host.addHook("onRequest", async ({ raw }) => {
        const chunks: Buffer[] = [];
        for await (const chunk of raw) chunks.push(chunk as Buffer);
        Object.assign(raw, { body: { name: "parsed" }, rawBody: kept(Buffer.concat(chunks)) });
      });
      host.register(reeve, { controlPlane: plane.controlPlane });
    });
    const created = await ask("POST", ASSETS, '{"name":"café 😀"}', json);
    expect([created.status, created.json.name]).toEqual([201, name]);
  });

  it("runs the host's hooks around it", async () => {
    const ran: string[] = [];
    await serve((host) => {
      host.addHook("onRequest", async (request, reply) => {
        ran.push("onRequest");
        if (request.headers["x-blocked"]) return reply.code(403).send("blocked by the host");
        return undefined;
      });
      host.addHook("preHandler", async () => void ran.push("preHandler"));
      host.addHook("onSend", async (_request, reply) => {
        ran.push("onSend");
        reply.header("strict-transport-security", "max-age=1");
      });
      host.addHook("onResponse", async () => void ran.push("onResponse"));
      host.register(reeve, { controlPlane: plane.controlPlane });
    });
    const { status, headers } = await ask("GET", ASSETS);
    expect({ status, hsts: headers.get("strict-transport-security") }).toEqual({ status: 200, hsts: "max-age=1" });
    await expect.poll(() => ran).toEqual(["onRequest", "onSend", "onResponse"]);
    expect((await ask("GET", ASSETS, undefined, { "x-blocked": "1" })).text).toBe("blocked by the host");
  });

  it("keeps its own refusals from the host's error handler, and hands it the rest", async () => {
    const seen: string[] = [];
    await serve((host) => {
      host.setErrorHandler((error: Error, _request, reply) => {
        seen.push(error.message);
        reply.code(500).send(`host: ${error.message}`);
      });
      host.register(reeve, { controlPlane: plane.controlPlane });
      const broken = { ...plane.controlPlane, handle: () => Promise.reject(new Error("no such thing")) };
      host.register(reeve, { controlPlane: broken, prefix: "/broken" });
    });
    expect((await ask("POST", ASSETS, "{", json)).json.code).toBe("invalid_json");
    expect((await ask("GET", `/broken${ASSETS}`)).text).toBe("host: no such thing");
    expect(seen).toEqual(["no such thing"]);
  });

  it.each<[string, FastifyServerOptions]>([
    ["ignoreTrailingSlash", { routerOptions: { ignoreTrailingSlash: true } }],
    ["ignoreDuplicateSlashes", { routerOptions: { ignoreDuplicateSlashes: true } }],
    ["caseSensitive", { routerOptions: { caseSensitive: false } }],
    ["useSemicolonDelimiter", { useSemicolonDelimiter: true }],
    ["maxParamLength", { routerOptions: { maxParamLength: 5 } }],
    ["onProtoPoisoning", { onProtoPoisoning: "remove", onConstructorPoisoning: "remove" }],
  ])("answers the same whatever the host sets as %s", async (_name, options) => {
    const mounted = { controlPlane: plane.controlPlane, prefix: "/gov", exclusive: true };
    await serve((host) => host.register(reeve, mounted), options);
    const statuses = async (...paths: string[]) =>
      Promise.all(paths.map(async (path) => (await ask("GET", `/gov${path}`)).status));
    expect(
      await statuses(
        ASSETS,
        `${ASSETS}/`,
        `/api//v1/ai-assets`,
        "/api/v1/AI-assets",
        `${ASSETS};x=1`,
        `${ASSETS}/${"a".repeat(300)}`,
      ),
    ).toEqual([200, 404, 404, 404, 404, 404]);
    expect((await ask("POST", `/gov${ASSETS}`, '{"metadata":{"__proto__":1}}', json)).json.code).toBe("forbidden_key");
  });
});

describe("beside routes of the host", () => {
  it("leaves the host's routes alone, with root routes on", async () => {
    await serve((host) => {
      host.register(reeve, { controlPlane: plane.controlPlane });
      host.get("/users/:id", async () => "a user of the host");
      host.get("/agents/:id", async () => "an agent of the host");
      host.post("/echo", async (request) => request.body);
    });
    expect((await ask("GET", "/users/42")).text).toBe("a user of the host");
    expect((await ask("GET", "/agents/42")).text).toBe("an agent of the host");
    expect((await ask("GET", "/agents/health")).json.status, "the closer route wins").toBe("ok");
    expect((await ask("POST", "/echo", '{"a":1}', json)).json).toEqual({ a: 1 });
    expect((await ask("POST", "/echo", "{", json)).json.code, "the host's own error").toBe(
      "FST_ERR_CTP_INVALID_JSON_BODY",
    );
    expect((await ask("GET", "/cache/health")).json.status).toBe("ok");
    expect(await ask("GET", "/nowhere")).toMatchObject({ status: 404, text: HOST_NOT_FOUND });
  });

  it("is mounted more than once, each under its prefix", async () => {
    await serve((host) => {
      host.register(reeve, { controlPlane: plane.controlPlane, prefix: "/governance" });
      host.register(reeve, { controlPlane: plane.controlPlane, prefix: "/deep/er/" });
    });
    for (const prefix of ["/governance", "/deep/er"]) {
      const created = await ask("POST", prefix + ASSETS);
      expect(created.headers.get("location")).toBe(`${prefix}${ASSETS}/${created.json.id}`);
    }
    expect(await ask("GET", ASSETS)).toMatchObject({ status: 404, text: HOST_NOT_FOUND });
    expect(await ask("GET", `/%67overnance${ASSETS}`)).toMatchObject({ status: 404, text: HOST_NOT_FOUND });
  });

  it("passes on what is under /api/v1 and no operation, and stays out of a description of the host", async () => {
    const described: string[] = [];
    await serve((host) => {
      host.addHook("onRoute", ({ schema, path }) => {
        if (!(schema as { hide?: boolean } | undefined)?.hide) described.push(path);
      });
      host.get("/*", async () => "the host's single page");
      host.register(reeve, { controlPlane: plane.controlPlane });
      host.get("/api/v1/orders/:id", async () => "an order of the host");
      host.delete("/api/v1/ai-assets", async () => "a method of the host");
    });
    expect((await ask("GET", "/api/v1/orders/42")).text).toBe("an order of the host");
    expect((await ask("DELETE", ASSETS)).text).toBe("a method of the host");
    expect((await ask("GET", "/api/v1/nothing")).text).toBe("the host's single page");
    expect((await ask("PUT", ASSETS)).text, "no such method here").toBe(HOST_NOT_FOUND);
    expect((await ask("GET", `${ASSETS}/ast_nobody`)).json.code).toBe("not_found");
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(url + ASSETS, { method: "HEAD", headers })).status).toBe(200);
    expect(described).toEqual(["/*", "/*", "/api/v1/orders/:id", "/api/v1/orders/:id", "/api/v1/ai-assets"]);
  });

  it.each(["before", "after"])(
    "names the route that the host registers %s it for an operation's path",
    async (when) => {
      app = fastify();
      if (when === "before") app.get(ASSETS, async () => "mine");
      app.register(reeve, { controlPlane: plane.controlPlane });
      if (when === "after") app.get(ASSETS, async () => "mine");
      await expect(app.ready()).rejects.toThrow(
        when === "before" ? `GET ${ASSETS} is an operation of Reeve and a route of the host` : ASSETS,
      );
      app = undefined;
    },
  );

  it.each(["/governance", ""])("refuses a second mount at one place, %j", async (prefix) => {
    app = fastify();
    app.register(reeve, { controlPlane: plane.controlPlane, prefix, exclusive: true });
    app.register(reeve, { controlPlane: createPlane().controlPlane, prefix: `${prefix}/` });
    await expect(app.ready()).rejects.toThrow(`Reeve is mounted twice at ${prefix || "/"}: `);
  });

  it("refuses a host whose routes cannot hold an id", async () => {
    app = fastify({ routerOptions: { maxParamLength: 5 } });
    app.register(reeve, { controlPlane: plane.controlPlane });
    await expect(app.ready()).rejects.toThrow("maxParamLength: 5");
  });

  it("refuses a prefix with parameters at start-up", async () => {
    app = fastify();
    app.register(reeve, { controlPlane: plane.controlPlane, prefix: "/org/:org" });
    await expect(app.ready()).rejects.toThrow("has parameters");
  });

  it("answers broken escapes only below its prefix", async () => {
    await serve((host) => host.register(reeve, { controlPlane: plane.controlPlane, prefix: "/gov" }), {
      frameworkErrors: reeveFrameworkErrors(plane.controlPlane, "/gov"),
    });
    expect((await ask("GET", `/gov${ASSETS}/%zz`)).json.code).toBe("invalid_encoding");
    for (const path of [`${ASSETS}/%zz`, `/govern${ASSETS}/%zz`, "/gov/other/%zz", "/gov%zz"])
      expect((await ask("GET", path)).json, path).toMatchObject({ statusCode: 400, code: "FST_ERR_BAD_URL" });
  });
});
