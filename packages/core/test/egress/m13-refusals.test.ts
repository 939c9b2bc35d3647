import { request as plainRequest } from "node:https";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type EgressSettings, guardedEgress, guardedFetch, ReeveError, type StreamingEgress } from "../../src/index.js";
import { type Canary, canary, serve } from "./servers.js";
import { innerShapes, LOCAL_NAMES, malformedShapes, type Shape, UNUSUAL_WAYS } from "./shapes.js";

let bird: Canary;
let lookups: string[];
beforeEach(async () => {
  bird = await canary();
  lookups = [];
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A client whose resolver returns the given answers. */
function client(answers: readonly string[] = ["127.0.0.1", "::1"], settings: EgressSettings = {}): StreamingEgress {
  return guardedEgress({
    ports: [bird.port],
    lookup: async (host) => {
      lookups.push(host);
      return answers;
    },
    ...settings,
  });
}

const NOT_ALLOWED = {
  code: "target_not_allowed",
  status: 400,
  detail: undefined,
  message:
    "The target may not be called. Use a public https address, or ask the operator of this service to allow the target.",
  members: {},
};
/** A cause would tell what was found behind the name. */
const hasNoCause = (fault: unknown) => (fault as Error).cause === undefined;

/** Both request and fetch refuse with the same text, and open no connection. */
async function refused(egress: StreamingEgress, url: string): Promise<void> {
  const asked = egress.request({ url, timeoutMs: 2_000 });
  await expect(asked, url).rejects.toMatchObject(NOT_ALLOWED);
  await expect(asked, url).rejects.toSatisfy(hasNoCause);
  const fetched = guardedFetch(egress, { timeoutMs: 2_000 })(url);
  await expect(fetched, url).rejects.toBeInstanceOf(ReeveError);
  await expect(fetched, url).rejects.toMatchObject(NOT_ALLOWED);
  await expect(fetched, url).rejects.toSatisfy(hasNoCause);
  expect(bird.connections(), url).toBe(0);
}

describe("M13: no way to write a target reaches what is not public", () => {
  it("a guard in a resolver is not asked about addresses in the URL, and the canary hears of all of them", async () => {
    const forms = ["127.0.0.1", "2130706433", "0x7f.1", "127.1", "[::ffff:127.0.0.1]"];
    for (const host of forms) {
      const request = plainRequest(`https://${host}:${bird.port}/`, {
        lookup: (name, _options, answer) => {
          lookups.push(name);
          answer(new Error("refused by the resolver"), "", 4);
        },
      });
      request.on("error", () => {});
      await expect.poll(bird.connections).toBe(forms.indexOf(host) + 1);
      request.destroy();
    }
    expect(lookups).toEqual([]);
  });

  it("has 160 shapes and more", () => {
    const all = [...innerShapes(443), ...malformedShapes(443)].map(({ url, answers }) => `${url} ${answers}`);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(160);
  });

  describe.each(innerShapes(0).map(({ name }, index) => [name, index] as const))("%s", (_name, index) => {
    it("is refused", async () => {
      const { url, answers } = innerShapes(bird.port)[index] as Shape;
      await refused(client(answers), url);
    });
  });

  it.each(malformedShapes(0).map(({ name }, index) => [name, index] as const))(
    "refuses the form of %s",
    async (_, n) => {
      const { url } = malformedShapes(bird.port)[n] as Shape;
      await refused(client(["127.0.0.1"], { allow: ["127.0.0.0/8", "::1"] }), url);
    },
  );

  it.each(LOCAL_NAMES)("does not ask where %s leads", async (host) => {
    await refused(client(["93.184.215.14"]), `https://${host}:${bird.port}/`);
    expect(lookups).toEqual([]);
  });

  it.each(UNUSUAL_WAYS)("refuses %s without asking where it leads", async (url) => {
    await refused(client(["93.184.215.14"], { ports: [443] }), url);
    expect(lookups).toEqual([]);
  });

  it.each([
    ["a value with a line end", { "x-a": "1\r\nx-b: 2" }],
    ["a value with a bare line feed", { "x-a": "1\nx-b: 2" }],
    ["a value with a NUL", { "x-a": "1\u0000" }],
    ["a value outside Latin-1", { "x-a": "\u{10a}" }],
    ["a name with a line end", { "x-a\r\nx-b": "1" }],
    ["a name with a colon", { "x-a:": "1" }],
    ["an empty name", { "": "1" }],
  ])("refuses %s in a header", async (_name, headers) => {
    const allowed = client(["127.0.0.1"], { allow: [`127.0.0.1:${bird.port}`] });
    const url = `http://127.0.0.1:${bird.port}/`;
    await expect(allowed.request({ url, headers })).rejects.toMatchObject(NOT_ALLOWED);
    expect(bird.connections()).toBe(0);
  });
});

describe("M13: a name is resolved once, and what it leads to is what is called", () => {
  it("pins the answer: a second, inner one is never used", async () => {
    const port = await serve((_request, response) => response.end("outer"), "127.0.0.2", bird.port);
    const answers = [["127.0.0.2"], ["127.0.0.1"], ["127.0.0.1"]];
    const egress = client([], {
      allow: ["127.0.0.2"],
      lookup: async (host) => {
        lookups.push(host);
        return answers[lookups.length - 1] ?? [];
      },
    });
    const { body } = await egress.request({ url: `http://rebind.example:${port}/` });
    expect(Buffer.from(body).toString()).toBe("outer");
    expect(lookups).toEqual(["rebind.example"]);
    await expect(egress.request({ url: `http://rebind.example:${port}/` })).rejects.toMatchObject(NOT_ALLOWED);
    expect(bird.connections()).toBe(0);
  });

  it("asks anew at every hop of a redirect, and refuses what it has become", async () => {
    const port = await serve(
      (_request, response) => response.writeHead(302, { location: "/again" }).end(),
      "127.0.0.2",
      bird.port,
    );
    const egress = client([], {
      allow: ["127.0.0.2"],
      lookup: async (host) => {
        lookups.push(host);
        return lookups.length === 1 ? ["127.0.0.2"] : ["127.0.0.1"];
      },
    });
    const url = `http://rebind.example:${port}/`;
    await expect(egress.request({ url, redirects: 3 })).rejects.toMatchObject(NOT_ALLOWED);
    expect(lookups).toHaveLength(2);
    expect(bird.connections()).toBe(0);
  });

  it("refuses a name of which one address is inner although another is allowed, and calls neither", async () => {
    let called = 0;
    await serve((_request, response) => response.end(String(++called)), "127.0.0.2", bird.port);
    for (const answers of [
      ["127.0.0.2", "127.0.0.1"],
      ["127.0.0.1", "127.0.0.2"],
    ]) {
      const egress = client(answers, { allow: ["127.0.0.2"] });
      await refused(egress, `http://mixed.example:${bird.port}/`);
    }
    expect(called).toBe(0);
  });

  it("asks the guard of the peer too: an allowed address that the system takes elsewhere gets no byte", async () => {
    const egress = client([], { allow: ["0.0.0.0"] });
    await expect(egress.request({ url: `http://0.0.0.0:${bird.port}/` })).rejects.toMatchObject(NOT_ALLOWED);
    expect(bird.bytes()).toBe(0);
  });

  it("heeds no proxy of the environment", async () => {
    const port = await serve((_request, response) => response.end("direct"));
    const proxy = `http://127.0.0.1:${bird.port}`;
    for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]) vi.stubEnv(name, proxy);
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    const egress = client([], { allow: [`127.0.0.1:${port}`] });
    const { body } = await egress.request({ url: `http://127.0.0.1:${port}/` });
    expect(Buffer.from(body).toString()).toBe("direct");
    expect(bird.connections()).toBe(0);
  });
});
