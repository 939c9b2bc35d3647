// Runs the packed client against the packed core in one process, as ES module and as CommonJS.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const RUN = `
const controlPlane = createControlPlane({
  store: createMemoryStore(),
  masterKey: crypto.getRandomValues(new Uint8Array(32)),
  baseUrl: "http://localhost:3000",
  registration: "open",
});
const setting = { baseUrl: "http://localhost:3000", fetch: (request) => controlPlane.fetch(request) };
const account = { username: "ada@acme.example", password: "seven green lanterns at dusk" };
const run = async () => {
  await createClient(setting).POST("/api/v1/register", { body: { organization: "Acme Ltd", ...account } });
  const client = createClient({ ...setting, signIn: account });
  await client.POST("/api/v1/ai-assets", { body: { name: "packed" } });
  for await (const { name } of client.items("/api/v1/ai-assets")) console.log(name);
  await client.GET("/api/v1/ai-assets/{id}", { params: { path: { id: "ast_0" } } }).catch((error) => console.log(error.code));
  await controlPlane.close();
};
run();
`;

const FORMATS = {
  "client.mjs":
    'import { createControlPlane, createMemoryStore } from "@reeve/core";\nimport { createClient } from "@reeve/client";',
  "client.cjs":
    'const { createControlPlane, createMemoryStore } = require("@reeve/core");\nconst { createClient } = require("@reeve/client");',
};

/** A use of the client that compiles, and one with a misspelt field that must not. */
export const CLIENT_TYPES = `import { createClient, type ItemOf } from "@reeve/client";
const client = createClient({ baseUrl: "https://reeve.example" });
export const assets = async (): Promise<ItemOf<"/api/v1/ai-assets">[]> => (await client.GET("/api/v1/ai-assets")).data.items;
// @ts-expect-error
export const misspelt = client.POST("/api/v1/ai-assets", { body: { riskTeir: "high" } });
`;

/** The faults found; empty when the client worked in both formats. */
export function packedClientFaults(consumer: string): string[] {
  return Object.entries(FORMATS).flatMap(([file, imports]) => {
    writeFileSync(join(consumer, file), imports + RUN);
    const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: consumer, encoding: "utf8" });
    return stdout === "packed\nnot_found\n" ? [] : [`@reeve/client: ${file} printed ${stdout}${stderr}`];
  });
}
