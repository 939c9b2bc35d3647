import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ControlPlane } from "@reeve/core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { root } from "../lib/workspace.mjs";
import { namedSnippet } from "./snippets.js";

const guide = readFileSync(join(root, "docs/guides/frameworks.md"), "utf8");
const account = { username: "grace@hopper.example", password: "seven green lanterns at dusk" };

/** A project with the frameworks that the example has installed. */
let project: string;
let made = 0;
beforeAll(() => vi.stubEnv("REEVE_MASTER_KEY", randomBytes(32).toString("base64")));
afterAll(() => vi.unstubAllEnvs());
afterEach(() => rmSync(project, { recursive: true }));

function createProject(): void {
  project = mkdtempSync(join(tmpdir(), "reeve-frameworks-"));
  symlinkSync(join(root, "examples/existing-app/node_modules"), join(project, "node_modules"), "dir");
  write("tsconfig.json", '{ "compilerOptions": { "experimentalDecorators": true } }');
}

function write(path: string, text: string): string {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Writes the guide's snippet to a file of the project, with a free port and a database of its own. */
function writeSnippet(name: string, path: string, tail = ""): string {
  made += 1;
  const text = namedSnippet(guide, name)
    .replace("listen(3000)", 'listen(0, "127.0.0.1")')
    .replace("port: 3000", 'port: 0, hostname: "127.0.0.1"')
    .replace(/^process\.once\(.*\n/m, "")
    .replace("./data/reeve.sqlite", join(project, `${made}.sqlite`));
  return write(path, text + tail);
}

type Fetch = (path: string, init: RequestInit) => Promise<Response>;

/** Registers, signs in and creates an asset below the prefix. */
async function expectGovernance(send: Fetch): Promise<void> {
  const post = (path: string, body: object, token?: string) => {
    const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    const headers = { "content-type": "application/json", ...authorization };
    return send(`/governance/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  };
  expect((await post("/register", { organization: "Hopper Inc", ...account })).status).toBe(201);
  const { token } = (await (await post("/auth/signin", account)).json()) as { token: string };
  const created = await post("/ai-assets", { name: "Support agent" }, token);
  expect(created.status).toBe(201);
  expect(created.headers.get("location")).toMatch(/^\/governance\/api\/v1\/ai-assets\/ast_/);
  expect((await send("/governance/api/v1/nothing", {})).status).toBe(404);
}

const sendTo = (server: Server): Fetch => {
  const { port } = server.address() as AddressInfo;
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
};

describe("the guide to frameworks", () => {
  it("shows a NestJS application that runs, and stops with its control plane", async () => {
    createProject();
    writeSnippet("nest-module", "governance.module.ts");
    write(
      "app.module.ts",
      'import { Module } from "@nestjs/common";\nimport { GovernanceModule } from "./governance.module";\n@Module({ imports: [GovernanceModule] })\nexport class AppModule {}\n',
    );
    const { running } = await import(/* @vite-ignore */ writeSnippet("nest-main", "main.ts"));
    const app = await running;
    const { CONTROL_PLANE } = await import(/* @vite-ignore */ join(project, "governance.module.ts"));
    const controlPlane: ControlPlane = app.get(CONTROL_PLANE);
    await expectGovernance(sendTo(app.getHttpServer()));
    await app.close();
    await expect(controlPlane.call("aiAssets.list", undefined)).rejects.toMatchObject({ code: "shutting_down" });
  });

  it("shows a Hono application that runs", async () => {
    createProject();
    const tail = "export { controlPlane, server };\n";
    const { controlPlane, server } = await import(/* @vite-ignore */ writeSnippet("hono", "main.mjs", tail));
    await expect.poll(() => server.listening).toBe(true);
    await expectGovernance(sendTo(server));
    const page = await sendTo(server)("/", {});
    expect(await page.text()).toBe("The host's own page");
    await new Promise((resolve) => server.close(resolve));
    await controlPlane.close();
  });

  it("shows a route handler of Next that answers, and a job that ticks", async () => {
    createProject();
    writeSnippet("next-control-plane", "lib/control-plane.ts");
    const route = await import(/* @vite-ignore */ writeSnippet("next-route", "app/governance/[...path]/route.ts"));
    const instrumentation = await import(/* @vite-ignore */ writeSnippet("next-instrumentation", "instrumentation.ts"));
    const { controlPlane } = (await import(/* @vite-ignore */ join(project, "lib/control-plane.ts"))) as {
      controlPlane: () => ControlPlane;
    };
    await expectGovernance((path, { method = "GET", ...init }) =>
      route[method](new Request(`https://shop.example${path}`, { method, ...init })),
    );
    expect((await route.GET(new Request("https://shop.example/governance/settings"))).status).toBe(404);

    const starts = vi.spyOn(controlPlane(), "start");
    vi.stubEnv("NEXT_RUNTIME", "nodejs");
    await instrumentation.register();
    expect(starts).toHaveBeenCalledOnce();
    await controlPlane().close();
  });
});
