import { reeveListener } from "@reeve/adapter-http";
import { createPlane, createScene, HOST_NOT_FOUND, type RunningServer } from "@reeve/testkit";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reeve } from "../src/index.js";
import { listen, withNotFound } from "./servers.js";

const ASSETS = "/api/v1/ai-assets";
const failures: object[] = [];
const quiet = () => undefined;
const logger = { error: (fields: object) => failures.push(fields), warn: quiet, info: quiet };

let plane: ReturnType<typeof createPlane>;
let token: string;
let server: RunningServer | undefined;

beforeEach(async () => {
  failures.length = 0;
  plane = createPlane({ logger });
  token = (await createScene(plane, "host")).owner.token;
});

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(build: (app: Express) => void): Promise<void> {
  const app = express();
  build(app);
  server = await listen(withNotFound(app));
}

async function ask(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server?.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  const json = answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : undefined;
  return { status: answer.status, headers: answer.headers, text, json };
}

const json = { "content-type": "application/json" };

describe("behind body parsers of the host", () => {
  it.each([
    ["express.json()", () => express.json()],
    ["express.text()", () => express.text({ type: "*/*" })],
    ["express.raw()", () => express.raw({ type: "*/*" })],
    ["express.urlencoded()", () => express.urlencoded()],
    ["all of them", () => [express.json(), express.urlencoded(), express.text(), express.raw()]],
  ])("takes the body from %s", async (_name, parsers) => {
    await serve((app) => app.use(parsers()).use(reeve(plane.controlPlane)));
    const created = await ask("POST", ASSETS, '{"name":"café 😀","metadata":{"constructor":"x"}}', json);
    expect({ status: created.status, name: created.json.name, metadata: created.json.metadata }).toEqual({
      status: 201,
      name: "café 😀",
      metadata: { constructor: "x" },
    });
    expect((await ask("POST", ASSETS)).status, "no body").toBe(201);
    expect((await ask("POST", ASSETS, "", json)).status, "an empty body").toBe(201);
    expect((await ask("POST", ASSETS, "[]", json)).json.code, "a list").toBe("invalid_json");
    expect((await ask("POST", ASSETS, '{"metadata":{"__proto__":{"x":1}}}', json)).json.code).toBe("forbidden_key");
    expect((await ask("POST", ASSETS, "name=x", { "content-type": "text/plain" })).status).toBe(415);
  });

  /** The request behind a parser that keeps the body as `rawBody`. */
  const keeping = (kept: (bytes: Buffer) => unknown) =>
    serve((app) => {
      const verify = (request: object, _response: object, bytes: Buffer) =>
        Object.assign(request, { rawBody: kept(bytes) });
      app.use(express.json({ verify, limit: "10mb" })).use(reeve(plane.controlPlane));
    });

  it.each<[string, (bytes: Buffer) => unknown]>([
    ["a Buffer", (bytes) => bytes],
    ["a Uint8Array", (bytes) => new Uint8Array(bytes)],
    ["a text", (bytes) => bytes.toString("utf8")],
  ])("prefers the body as it was read, where the host keeps it as %s", async (_kind, kept) => {
    await keeping(kept);
    const created = await ask("POST", ASSETS, '{"name":"café 😀"}', json);
    expect([created.status, created.json.name]).toEqual([201, "café 😀"]);
    const twice = await ask("POST", ASSETS, '{"name":"x","name":"y"}', json);
    expect({ status: twice.status, code: twice.json.code }).toEqual({ status: 400, code: "invalid_json" });
    const large = await ask("POST", ASSETS, `{"name":"${"é".repeat(200_000)}"}`, json);
    expect([large.status, large.json?.code], "bytes are counted").toEqual([413, "payload_too_large"]);
  });

  it.each<[unknown]>([[true], [null], [42], [{ bytes: [123] }], [[123, 125]], [new Uint16Array([123, 125])]])(
    "takes the parsed body where the host keeps %o as rawBody",
    async (odd) => {
      await keeping(() => odd);
      const created = await ask("POST", ASSETS, '{"name":"parsed"}', json);
      expect([created.status, created.json.name]).toEqual([201, "parsed"]);
    },
  );

  it("keeps its limit, whatever the host allows", async () => {
    await serve((app) => app.use(express.json({ limit: "10mb" })).use(reeve(plane.controlPlane)));
    const large = await ask("POST", ASSETS, JSON.stringify({ list: Array(9_000).fill("a".repeat(40)) }), json);
    expect({ status: large.status, code: large.json.code }).toEqual({ status: 413, code: "payload_too_large" });
  });

  it("says so when the host has read the body and kept nothing, instead of taking it for empty", async () => {
    await serve((app) =>
      app
        .use((request: Request, _response: Response, next: NextFunction) => {
          request.resume().on("end", () => next());
        })
        .use(reeve(plane.controlPlane)),
    );
    expect((await ask("POST", ASSETS, '{"name":"lost"}', json)).status).toBe(500);
    expect(JSON.stringify(failures)).toContain("mount the control plane before what reads bodies");
    expect((await ask("POST", ASSETS)).status, "nothing was there to lose").toBe(201);
  });

  it("drops its answer where the host has answered before, and leaves the connection alone", async () => {
    await serve((app) =>
      app
        .use((request: Request, response: Response, next: NextFunction) => {
          if (request.url.startsWith(ASSETS)) response.status(503).send("too late");
          next();
        })
        .use(reeve(plane.controlPlane))
        .use((error: Error, _request: Request, _response: Response, next: NextFunction) => {
          failures.push(error);
          next(error);
        }),
    );
    expect(await ask("GET", ASSETS)).toMatchObject({ status: 503, text: "too late" });
    expect((await ask("GET", "/api/v1/monitor/ping")).status).toBe(200);
    expect(failures).toEqual([]);
  });

  it("parses compressed bodies no more than without them", async () => {
    await serve((app) => app.use(express.json()).use(reeve(plane.controlPlane)));
    const { gzipSync } = await import("node:zlib");
    const answer = await fetch(`${server?.url}${ASSETS}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-encoding": "gzip", ...json },
      body: gzipSync("{}"),
    });
    expect(answer.status).toBe(415);
  });
});

describe("beside routes of the host", () => {
  const answerWith = (text: string) => (_request: Request, response: Response) => void response.send(text);

  it("leaves the host's routes alone, before and after it, with root routes on", async () => {
    await serve((app) =>
      app
        .get("/before/42", answerWith("before"))
        .use(reeve(plane.controlPlane))
        .get("/users/:id", answerWith("a user of the host"))
        .get("/agents/:id", answerWith("an agent of the host"))
        .post("/echo", express.text(), (request, response) => void response.send(request.body)),
    );
    expect((await ask("GET", "/before/42")).text).toBe("before");
    expect((await ask("GET", "/users/42")).text).toBe("a user of the host");
    expect((await ask("GET", "/agents/42")).text).toBe("an agent of the host");
    expect((await ask("GET", "/agents/health")).json.status).toBe("ok");
    const echoed = await ask("POST", "/echo", "untouched", { "content-type": "text/plain" });
    expect(echoed.text, "the body is still there for the host").toBe("untouched");
    expect(await ask("GET", "/nowhere")).toMatchObject({ status: 404, text: HOST_NOT_FOUND });
  });

  it("is mounted under a prefix, and under one with a parameter", async () => {
    await serve((app) => app.use("/governance", reeve(plane.controlPlane)).use("/org/:org", reeve(plane.controlPlane)));
    const plain = await ask("POST", `/governance${ASSETS}`);
    expect(plain.headers.get("location")).toBe(`/governance${ASSETS}/${plain.json.id}`);
    const parametric = await ask("POST", `/org/acme${ASSETS}`);
    expect(parametric.headers.get("location")).toBe(`/org/acme${ASSETS}/${parametric.json.id}`);
    expect(await ask("GET", ASSETS)).toMatchObject({ status: 404, text: HOST_NOT_FOUND });
  });

  it("keeps what middleware of the host has set, but for Express's own name", async () => {
    await serve((app) =>
      app
        .use((_request: Request, response: Response, next: NextFunction) => {
          response.set({ "strict-transport-security": "max-age=1", "cache-control": "public" });
          next();
        })
        .use(reeve(plane.controlPlane)),
    );
    const { headers } = await ask("GET", ASSETS);
    expect(headers.get("strict-transport-security")).toBe("max-age=1");
    expect(headers.get("cache-control"), "ours wins").toBe("no-store");
    expect(headers.has("x-powered-by")).toBe(false);
  });

  it("hands what goes wrong outside the control plane to the host's error handler", async () => {
    const broken = { ...plane.controlPlane, handle: () => Promise.reject(new Error("no such thing")) };
    await serve((app) =>
      app.use(reeve(broken)).use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
        response.status(500).send(`host: ${error.message}`);
      }),
    );
    expect((await ask("GET", ASSETS)).text).toBe("host: no such thing");
  });

  it("passes on what is under /api/v1 and no operation", async () => {
    await serve((app) =>
      app
        .use(reeve(plane.controlPlane))
        .get("/api/v1/orders/:id", answerWith("an order of the host"))
        .delete(ASSETS, answerWith("a method of the host"))
        .use("/api/v1", answerWith("something else of the host")),
    );
    expect((await ask("GET", "/api/v1/orders/42")).text).toBe("an order of the host");
    expect((await ask("DELETE", ASSETS)).text).toBe("a method of the host");
    expect((await ask("GET", "/api/v1/nothing")).text).toBe("something else of the host");
    expect((await ask("GET", `${ASSETS}/ast_nobody`)).json.code).toBe("not_found");
  });

  it("names routes of the host that share method and path with an operation", async () => {
    const warned: string[] = [];
    const hear = (warning: Error) => void (warning.name === "ReeveWarning" && warned.push(warning.message));
    process.on("warning", hear);
    const users = express.Router().get("/", answerWith("users")).get("/:id", answerWith("a user"));
    await serve((app) =>
      app
        .get(ASSETS, answerWith("the host's assets"))
        .get("/{*page}", (_request: Request, _response: Response, next: NextFunction) => next())
        .use(reeve(plane.controlPlane))
        .use("/api/v1/users", users)
        .get("/api/v1/orders", answerWith("orders")),
    );
    expect((await ask("GET", ASSETS)).text).toBe("the host's assets");
    await ask("GET", "/api/v1/users");
    await expect.poll(() => warned.length).toBeGreaterThan(0);
    process.off("warning", hear);
    expect(warned.sort()).toEqual([
      expect.stringContaining(
        "GET /api/v1/ai-assets is an operation of Reeve and the app's route /api/v1/ai-assets: the app's answers",
      ),
      expect.stringContaining(
        "GET /api/v1/users is an operation of Reeve and the app's route /api/v1/users/: Reeve's answers",
      ),
      expect.stringContaining("GET /api/v1/users/{id} is an operation of Reeve and the app's route /api/v1/users/:id"),
    ]);
  });

  it("names a second mount at one place, whatever its control plane", async () => {
    const warned: string[] = [];
    const hear = (warning: Error) => void (warning.name === "ReeveWarning" && warned.push(warning.message));
    process.on("warning", hear);
    const other = createPlane();
    await serve((app) =>
      app
        .use("/deep/er", reeve(plane.controlPlane))
        .use("/governance", reeve(plane.controlPlane))
        .use(reeve(plane.controlPlane))
        .use("/governance", reeve(other.controlPlane)),
    );
    for (const prefix of ["", "/deep/er", "/governance"]) await ask("GET", prefix + ASSETS);
    await expect.poll(() => warned.length).toBeGreaterThan(0);
    process.off("warning", hear);
    expect(warned).toEqual(["Reeve is mounted twice at /governance: only the first mount answers."]);
  });

  it("stands as a listener in front of Express", async () => {
    const app = withNotFound(express().get("/users/:id", answerWith("a user of the host")));
    server = await listen(reeveListener(plane.controlPlane, app));
    expect((await ask("GET", "/users/42")).text).toBe("a user of the host");
    expect((await ask("GET", ASSETS)).status).toBe(200);
  });
});
