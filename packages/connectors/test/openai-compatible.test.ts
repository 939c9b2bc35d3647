import { LLMock } from "@copilotkit/aimock";
import { connectorCalls, connectorParts, listAll } from "@reeve/testkit/connectors";
import { describe, expect, it, onTestFinished } from "vitest";
import { openAiCompatible } from "../src/openai-compatible/index.js";
import { failureOf } from "./support/failure.js";
import { LOOPBACK, serve, serveAnswer } from "./support/http-server.js";

const KEY = "sk-test-0123456789";

function endpoint(baseUrl: string, { apiKey, ...config }: { apiKey?: string; provider?: string } = {}) {
  const connector = openAiCompatible();
  const secrets: Record<string, string> = apiKey === undefined ? {} : { apiKey };
  const parts = connectorParts(connector, { config: { baseUrl, ...config }, secrets, allow: LOOPBACK });
  return { parts, calls: connectorCalls(connector, parts) };
}

/** A published mock of model endpoints, made by others. It asks for no key. */
async function publishedMock(...models: string[]): Promise<string> {
  const mock = new LLMock({ port: 0, logLevel: "silent" });
  for (const model of models) mock.on({ model }, { content: "-" });
  const url = await mock.start();
  onTestFinished(() => mock.stop());
  return `${url}/v1`;
}

/** A small server that lists models as OpenAI publishes it, and refuses other keys. */
const keyed = (data: unknown) =>
  serve((request, response) => {
    const allowed = request.headers.authorization === `Bearer ${KEY}` && request.url === "/v1/models";
    response.writeHead(allowed ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(allowed ? { object: "list", data } : { error: { message: `bad key ${KEY}` } }));
  });

describe("the models of an endpoint that others have made", () => {
  it("are found, page by page, with their owner", async () => {
    const { calls } = endpoint(await publishedMock("zeta", "alpha", "mid"));
    const { items, complete, pages } = await listAll((page) => calls.discoverAssets(page), 2);
    expect(items.map(({ externalId }) => externalId)).toEqual(["alpha", "mid", "zeta"]);
    expect(items[0]).toMatchObject({
      assetType: "model",
      name: "alpha",
      provider: "aimock",
      record: { modelId: "alpha" },
      metadata: { createdAt: "2023-06-16T17:03:22.000Z" },
    });
    expect({ complete, pages }).toEqual({ complete: true, pages: 2 });
  });

  it("make the test pass, with the address as the target", async () => {
    const url = await publishedMock("alpha");
    const { checks, target } = await endpoint(`${url}/`).calls.testConnection();
    expect(checks).toEqual([expect.objectContaining({ status: "pass", message: "The endpoint lists 1 models." })]);
    expect(target?.id).toBe(url);
  });
});

describe("an endpoint that asks for a key", () => {
  it("gets it as a bearer token, and a provider of the configuration wins", async () => {
    const { url } = await keyed([{ id: "m", owned_by: "them" }]);
    const { calls } = endpoint(`${url}/v1`, { apiKey: KEY, provider: "us" });
    expect((await listAll((page) => calls.discoverAssets(page))).items).toEqual([
      expect.objectContaining({ externalId: "m", provider: "us" }),
    ]);
  });

  it("refuses another one, and no failure or log quotes it", async () => {
    const { url } = await keyed([]);
    const { calls, parts } = endpoint(`${url}/v1`, { apiKey: "sk-another-key" });
    const error = await failureOf(calls.testConnection());
    expect(error).toMatchObject({ errorClass: "auth", httpStatus: 401 });
    expect(JSON.stringify([error.message, error.code, parts.lines])).not.toMatch(/sk-/);
  });

  it("never has its key sent to where it redirects", async () => {
    const other = await serveAnswer(200, { data: [{ id: "theirs" }] });
    const redirecting = await serveAnswer(302, "", { location: `${other.url}/v1/models` });
    const { calls } = endpoint(`${redirecting.url}/v1`, { apiKey: KEY });
    expect(await failureOf(calls.discoverAssets({ limit: 10 }))).toMatchObject({
      errorClass: "config",
      code: "redirect",
    });
    expect(other.requests).toHaveLength(0);
  });

  it("takes no key that could inject a header", () => {
    for (const apiKey of ["a\r\nx-admin: 1", "with space", ""])
      expect(() => endpoint("https://models.example.com/v1", { apiKey })).toThrow();
  });
});

describe("a hostile or broken endpoint", () => {
  it.each([
    ["no JSON", "<html>"],
    ["no list", { data: "none" }],
    ["a list of its own", [{ id: "m" }]],
  ])("with %s is invalid", async (_what, body) => {
    const { url } = await serveAnswer(200, body);
    expect(await failureOf(endpoint(url).calls.discoverAssets({ limit: 10 }))).toMatchObject({
      errorClass: "invalid",
      code: "unexpected_shape",
    });
  });

  it("that answers 10 MB is given up, for good", async () => {
    const { url } = await serveAnswer(200, { data: ["x".repeat(10_000_000)] });
    expect(await failureOf(endpoint(url).calls.discoverAssets({ limit: 10 }))).toMatchObject({
      errorClass: "invalid",
      code: "too_large",
    });
  });

  it("that breaks off is tried again", async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"data":', () => response.destroy());
    });
    expect(await failureOf(endpoint(url).calls.discoverAssets({ limit: 10 }))).toMatchObject({
      errorClass: "transient",
    });
  });

  it("has what cannot be used rejected one by one, and not the list", async () => {
    const data = [
      { id: "good", created: 1e300, owned_by: 7 },
      { id: "good" },
      { id: "" },
      { id: "x".repeat(201) },
      { id: "a\0b" },
      null,
    ];
    const { url } = await serveAnswer(200, { data });
    const page = await endpoint(url).calls.discoverAssets({ limit: 10 });
    expect(page.items).toEqual([expect.objectContaining({ externalId: "good" })]);
    expect(page.items[0]).not.toHaveProperty("metadata");
    expect(page.rejected).toHaveLength(5);
    expect(page.rejected?.[0]).toEqual({ externalId: "good", reason: "It is listed twice." });
    expect(page.warnings?.map(({ externalId, part }) => [externalId, part])).toEqual([
      ["good", "owned_by"],
      ["good", "created"],
    ]);
    expect([page.complete, page.incomplete]).toEqual([false, "rejected"]);
  });

  it("loses no model of a later page when one of an earlier page goes", async () => {
    const ids = ["a", "b", "c", "d"];
    const { url } = await serve((_request, response) =>
      response.end(JSON.stringify({ data: ids.map((id) => ({ id })) })),
    );
    const { calls } = endpoint(url);
    const first = await calls.discoverAssets({ limit: 2 });
    ids.shift();
    const second = await calls.discoverAssets({ limit: 2, cursor: String(first.nextCursor) });
    expect(second.items.map(({ externalId }) => externalId)).toEqual(["c", "d"]);
  });
});

describe("the configuration of an endpoint", () => {
  it.each(["file:///etc/passwd", "https://user:pw@models.example.com", "https://models.example.com/v1?key=1", "x"])(
    "is not %s",
    (baseUrl) => {
      expect(() => endpoint(baseUrl)).toThrow();
    },
  );

  it("does not reach a private address that nobody permits", async () => {
    const connector = openAiCompatible();
    const parts = connectorParts(connector, { config: { baseUrl: "http://169.254.169.254/v1" } });
    expect(await failureOf(connectorCalls(connector, parts).testConnection())).toMatchObject({
      errorClass: "config",
      code: "target_not_allowed",
    });
  });
});
