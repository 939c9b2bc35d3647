import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reeveListener } from "@reeve/adapter-http";
import { type Client, createClient } from "@reeve/client";
import type { ControlPlane } from "@reeve/core";
import { createPlane } from "@reeve/testkit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { root } from "../lib/workspace.mjs";
import { namedSnippet } from "./snippets.js";

const guide = readFileSync(join(root, "docs/guides/client.md"), "utf8");

const account = { username: "ada@acme.example", password: "seven green lanterns at dusk" };

let folder: string;
let server: Server;
let controlPlane: ControlPlane;
let owner: Client;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "reeve-client-guide-"));
  controlPlane = createPlane().controlPlane;
  server = createServer(reeveListener(controlPlane));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await createClient({ baseUrl: url }).POST("/api/v1/register", { body: { organization: "Acme Ltd", ...account } });
  owner = createClient({ baseUrl: url, signIn: account });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await controlPlane.close();
  rmSync(folder, { recursive: true });
});

/** Runs the guide's first snippet and these as one module, and returns what they print. */
const run = (...names: string[]) => printedBy(["first", ...names].map((name) => namedSnippet(guide, name)).join("\n"));

async function printedBy(text: string): Promise<unknown[][]> {
  const printed = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const file = join(folder, `${randomUUID()}.mjs`);
  writeFileSync(file, text.replace(/"https?:\/\/(reeve\.example|localhost:3000)"/, JSON.stringify(url)));
  await import(/* @vite-ignore */ file);
  const { calls } = printed.mock;
  printed.mockRestore();
  return calls;
}

describe("the guide to the client", () => {
  it("creates, and walks lists", async () => {
    const body = { name: "Refund agent", assetType: "agent", labels: { team: "payments, refunds" } } as const;
    await owner.POST("/api/v1/ai-assets", { body });
    expect(await run("lists")).toEqual([["registered"], ["Refund agent"], [1, 1]]);
  });

  it("prints a refusal as its comment says", async () => {
    const [, refused = []] = await run("refusals");
    const comment = / \/\/ (.*)\n/.exec(namedSnippet(guide, "refusals"))?.[1];
    expect(comment).toBe(
      `${refused[0]} ${refused[1]} [ ${(refused[2] as string[]).map((to) => `'${to}'`).join(", ")} ]`,
    );
  });

  it("changes what was read, and does an order once", async () => {
    await run("versions", "repeats");
    const found: string[] = [];
    for await (const { name, version } of owner.items("/api/v1/ai-assets")) found.push(`${name} ${version}`);
    expect(found.slice(0, 2)).toEqual(["Order 7 1", "Support agent 2"]);
  });

  it("is begun in the README", async () => {
    const { data } = await createClient({ baseUrl: url }).POST("/api/v1/auth/signin", { body: account });
    vi.stubEnv("REEVE_TOKEN", data.token);
    const printed = await printedBy(namedSnippet(readFileSync(join(root, "README.md"), "utf8"), "client"));
    vi.unstubAllEnvs();
    expect(printed).toContainEqual(["Order 7", "registered"]);
  });

  it("asks in process", async () => {
    const { data } = await createClient({ baseUrl: url }).POST("/api/v1/auth/signin", { body: account });
    const Run = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor;
    const text = `${namedSnippet(guide, "in-process")}\nreturn inProcess.GET("/api/v1/ai-assets");`;
    const inProcess = new Run("createClient", "controlPlane", "baseUrl", "token", text);
    const answer = await inProcess(createClient, controlPlane, "https://reeve.example", data.token);
    expect(answer.data.totalItems).toBeGreaterThan(0);
    const lost = inProcess(createClient, controlPlane, "https://reeve.example/governance", data.token);
    await expect(lost).rejects.toThrow(/no answer for GET \/governance\/api\/v1\/ai-assets.*prefix/);
    const mounted = createClient({
      baseUrl: "https://reeve.example/governance",
      token: data.token,
      fetch: (request) => controlPlane.fetch(request, { prefix: "/governance" }),
    });
    expect((await mounted.GET("/api/v1/ai-assets")).data.totalItems).toBe(answer.data.totalItems);
  });
});
