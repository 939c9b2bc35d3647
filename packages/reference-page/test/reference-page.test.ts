import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { type ControlPlane, createControlPlane, createMemoryStore } from "@reeve/core";
import { describe, expect, it } from "vitest";
import { withClientCalls } from "../src/client-calls.mjs";
import { referencePage } from "../src/index.js";

const controlPlane = (reference: boolean | ReturnType<typeof referencePage>): ControlPlane =>
  createControlPlane({
    store: createMemoryStore(),
    masterKey: randomBytes(32),
    baseUrl: "https://reeve.example",
    reference,
  });

const ask = async (plane: ControlPlane, target: string) => {
  const answer = await plane.handle({ method: "GET", target, headers: {}, body: async () => undefined });
  const text = answer?.body === undefined ? "" : Buffer.from(answer.body).toString();
  return { status: answer?.status, headers: answer?.headers ?? {}, text };
};

describe("reference page", () => {
  const plane = controlPlane(referencePage());

  it("refers to nothing but files of its own, and each is served", async () => {
    const page = await ask(plane, "/docs");
    expect(page.status).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    const links = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link as string);
    const served = await Promise.all(
      links.map(async (link) => {
        const { pathname, origin } = new URL(link, "https://reeve.example/docs");
        const { status, headers, text } = await ask(plane, pathname);
        return { origin, pathname, status, type: headers["content-type"], empty: text === "" };
      }),
    );
    const file = (pathname: string, type: string) => ({
      origin: "https://reeve.example",
      pathname,
      status: 200,
      type,
      empty: false,
    });
    expect(served).toEqual([
      file("/docs/favicon-32x32.png", "image/png"),
      file("/docs/swagger-ui.css", "text/css; charset=utf-8"),
      file("/openapi.json", "application/json; charset=utf-8"),
      file("/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
      file("/docs/start.js", "text/javascript; charset=utf-8"),
    ]);
  });

  it("reads the description compressed, with the address of this control plane in it", async () => {
    const headers = { "accept-encoding": "gzip" };
    const asked = { method: "GET", target: "/openapi.json", headers, body: async () => undefined };
    const answer = await plane.handle(asked);
    expect(answer?.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    const plain = (await ask(plane, "/openapi.json")).text;
    expect(gunzipSync(answer?.body as Uint8Array).toString()).toBe(plain);
    expect(JSON.parse(plain).servers).toEqual([{ url: "https://reeve.example" }]);
  });

  it("starts with modules that are served beside it", async () => {
    const start = await ask(plane, "/docs/start.js");
    const imported = [...start.text.matchAll(/from "\.\/([^"]*)"/g)].map(([, name]) => name as string);
    expect(imported).toEqual(["client-calls.mjs"]);
    const module = await ask(plane, `/docs/${imported[0]}`);
    expect(module.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(module.text).not.toMatch(/\bimport\b[^(]|\brequire\b/);
  });

  it("shows the client's call of each operation, below what was said of it", () => {
    const document = plane.openapi() as { paths: Record<string, Record<string, { description?: string }>> };
    const shown = withClientCalls(document) as typeof document;
    const described = (of: typeof document) => of.paths["/api/v1/ai-assets/{id}"]?.put?.description ?? "";
    expect(described(shown).startsWith(described(document))).toBe(true);
    expect(described(shown)).toContain('const { data } = await client.PUT("/api/v1/ai-assets/{id}", {');
    const all = Object.values(shown.paths).flatMap((methods) => Object.values(methods));
    expect(all.filter(({ description }) => !/```ts\n.*client\.[\s\S]*\n```$/.test(description ?? ""))).toEqual([]);
  });

  it("keeps its links under any prefix", async () => {
    const { text } = await ask(plane, "/docs");
    const links = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link as string);
    expect(links.map((link) => new URL(link, "https://host.example/deep/prefix/docs").href)).toSatisfy(
      (all: string[]) => all.every((link) => link.startsWith("https://host.example/deep/prefix/")),
    );
  });

  it("has no inline script, and says so in its policy", async () => {
    const { headers, text } = await ask(plane, "/docs");
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|javascript:/i);
    expect(headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self';");
    expect(headers["content-security-policy"]).toContain("connect-src 'self'");
  });

  it.each(["/docs/index.htm", "/docs/LICENSE", "/docs/package.json", "/docs/constructor", "/docs/__proto__"])(
    "has no file %s",
    async (target) => {
      const { status, text } = await ask(plane, target);
      expect({ status, code: JSON.parse(text).code }).toEqual({ status: 404, code: "not_found" });
    },
  );

  it.each(["/docs/", "/docs/..%2fopenapi.json", "/docs/%2e%2e/openapi.json", "/openapi.json/"])(
    "leaves %s to the host",
    async (target) => expect(await plane.handle(get(target))).toBeUndefined(),
  );

  it("is not there when it is off", async () => {
    const off = controlPlane(false);
    expect(await off.handle(get("/docs"))).toBeUndefined();
    expect(await off.handle(get("/openapi.json"))).toBeUndefined();
  });
});

function get(target: string) {
  return { method: "GET", target, headers: {}, body: async () => undefined };
}
