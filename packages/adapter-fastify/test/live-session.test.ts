import { once } from "node:events";
import { createPlane, createScene, type Scene } from "@reeve/testkit";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { requireLiveSession, sessionGuardOf } from "../src/index.js";

const reason = "a reason of more than ten characters";

let plane: ReturnType<typeof createPlane>;
let scene: Scene;
let app: FastifyInstance;
let url: string;
/** Ends the running answers. */
let finish: (() => void)[];
/** Clients whose admission waits until they have left, and those that have. */
let leaving: number;
let left: number;

beforeEach(async () => {
  plane = createPlane();
  scene = await createScene(plane, "gateway");
  finish = [];
  leaving = 0;
  left = 0;
  app = fastify();
  const tenants: Record<string, string> = { "key of the gateway": scene.tenantId };
  app.addHook(
    "onRequest",
    requireLiveSession(plane.controlPlane, {
      pepId: "gateway",
      mostSessions: 2,
      tenantOf: async ({ headers, socket }) => {
        if (headers["x-leaves"]) {
          leaving += 1;
          await once(socket, "close");
          left += 1;
        }
        return tenants[String(headers.authorization)];
      },
    }),
  );
  app.get("/now", async (request) => {
    sessionGuardOf(request).record({ iterations: 1 });
    return { session: sessionGuardOf(request).session.id };
  });
  app.get("/slow", (_request, reply) => {
    finish.push(() => reply.send({ done: true }));
  });
  app.get("/stream", (_request, reply) => {
    reply.hijack();
    reply.raw.write("first");
    finish.push(() => reply.raw.end("last"));
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(async () => {
  await app.close();
  await plane.controlPlane.close();
});

const get = (path: string, session?: string, authorization = "key of the gateway") =>
  fetch(url + path, { headers: { authorization, ...(session === undefined ? {} : { "x-session-id": session }) } });
const answered = async (path: string, session?: string, authorization?: string) => {
  const answer = await get(path, session, authorization);
  return { status: answer.status, type: answer.headers.get("content-type"), json: await answer.json() };
};

describe("requireLiveSession", () => {
  it("lets requests of an active session pass, and counts what they spend", async () => {
    const id = await scene.newSession({ limits: { maxIterations: 2 } });
    for (let index = 0; index < 2; index += 1)
      expect(await answered("/now", id)).toMatchObject({ status: 200, json: { session: id } });
    expect(await answered("/now", id)).toMatchObject({
      status: 403,
      type: "application/problem+json; charset=utf-8",
      json: { code: "session_blocked", sessionStatus: "suspended", reason: "limit_reached:maxIterations", epoch: 1 },
    });
  });

  it("refuses requests that name none, one of another tenant, one that has ended, and those of nobody", async () => {
    const ended = await scene.newSession();
    await scene.askSession(ended, "terminate", { reason });
    const foreign = await (await createScene(plane, "other")).newSession();
    expect(await answered("/now")).toMatchObject({ status: 400, json: { code: "session_missing" } });
    expect(await answered("/now", foreign)).toMatchObject({ status: 404, json: { code: "not_found" } });
    expect(await answered("/now", "ses_7ZZZZZZZZZZZZZZZZZZZZZZZZZ")).toMatchObject({ status: 404 });
    expect(await answered("/now", ended)).toMatchObject({ status: 403, json: { sessionStatus: "terminated" } });
    expect((await answered("/now", ended, "another key")).status).toBe(400);
  });

  it("cuts off what is under way when the session is terminated, and confirms that", async () => {
    const id = await scene.newSession();
    const slow = answered("/slow", id);
    const stream = await get("/stream", id);
    await vi.waitFor(() => expect(finish).toHaveLength(2));
    await scene.askSession(id, "terminate", { reason });
    expect(await slow).toMatchObject({ status: 403, json: { sessionStatus: "terminating", reason } });
    await expect(stream.text()).rejects.toThrow();
    for (const end of finish) expect(end).not.toThrow();
    const read = () => scene.send("GET", `/api/v1/ai/sessions/${id}`, { token: scene.owner.token });
    await vi.waitFor(async () =>
      expect((await read()).json).toMatchObject({
        status: "terminated",
        enforcement: { state: "confirmed", peps: [{ id: "gateway", outcome: "enforced" }] },
      }),
    );
  });

  it("lets what is under way finish when the session is suspended, and goes on once it is resumed", async () => {
    const id = await scene.newSession();
    const slow = answered("/slow", id);
    await vi.waitFor(() => expect(finish).toHaveLength(1));
    await scene.askSession(id, "suspend", { reason });
    expect(await answered("/now", id)).toMatchObject({ status: 403, json: { sessionStatus: "suspended", reason } });
    finish[0]?.();
    expect(await slow).toMatchObject({ status: 200, json: { done: true } });
    await scene.askSession(id, "resume", {});
    expect((await answered("/now", id)).status).toBe(200);
  });

  it("guards no more sessions at once than it may, and gives room when one is not in use", async () => {
    const [one, two, three] = [await scene.newSession(), await scene.newSession(), await scene.newSession()];
    const slow = [answered("/slow", one), answered("/slow", two)];
    await vi.waitFor(() => expect(finish).toHaveLength(2));
    expect(await answered("/now", three)).toMatchObject({ status: 503, json: { code: "overloaded" } });
    for (const end of finish) end();
    await Promise.all(slow);
    await vi.waitFor(async () => expect((await answered("/now", three)).status).toBe(200));
    expect((await answered("/now", one)).status).toBe(200);
  });

  it("gives back the place of a client that leaves while its request is admitted, and does not handle it", async () => {
    for (const session of [await scene.newSession(), await scene.newSession()]) {
      const client = new AbortController();
      const headers = { authorization: "key of the gateway", "x-session-id": session, "x-leaves": "yes" };
      const request = fetch(`${url}/slow`, { headers, signal: client.signal });
      const before = left;
      await vi.waitFor(() => expect(leaving).toBe(before + 1));
      client.abort();
      await expect(request).rejects.toThrow("abort");
      await vi.waitFor(() => expect(left).toBe(before + 1));
    }
    const other = await scene.newSession();
    await vi.waitFor(async () => expect((await answered("/now", other)).status).toBe(200));
    expect(finish).toEqual([]);
  });
});
