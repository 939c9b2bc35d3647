import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import type * as client from "../src/index.js";
import { SETTINGS, type Service, startService } from "./servers.js";

let service: Service;
beforeAll(async () => {
  service = await startService(SETTINGS[1]);
});
afterAll(() => service.close());

/** What browsers have and the language has not, as far as the client may use it. */
const { fetch, Request, Response, Headers, URL, AbortController, FormData, crypto, setTimeout, clearTimeout } =
  globalThis;
const browser = { fetch, Request, Response, Headers, URL, AbortController, FormData, crypto, setTimeout, clearTimeout };

it("runs without anything of Node's, in at most 24 KB", async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    platform: "browser",
    target: "es2022",
    format: "iife",
    globalName: "reeve",
  });
  const code = outputFiles[0]?.text ?? "";
  expect(code.length).toBeLessThanOrEqual(24 * 1_024);
  const page = vm.createContext({ ...browser });
  page.globalThis = page;
  vm.runInContext(`${code}; globalThis.reeve = reeve;`, page);
  const { createClient, ProblemError } = page.reeve as typeof client;
  const inPage = createClient({ baseUrl: service.url, signIn: service.account });
  const { data } = await inPage.POST("/api/v1/ai-assets", { body: { name: "from a page" } });
  expect(data.name).toBe("from a page");
  const missing = inPage.GET("/api/v1/ai-assets/{id}", { params: { path: { id: "ast_0" } } });
  await expect(missing).rejects.toSatisfy(ProblemError.is);
});
