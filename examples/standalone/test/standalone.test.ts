import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { expect, it, onTestFinished } from "vitest";

const folder = new URL("..", import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as {
  scripts: Record<string, string>;
};

/** Runs a script of the package as npm does, with the commands of its dependencies, in `directory`. */
function run(script: string, directory: string, settings: Record<string, string>) {
  const { PATH = "" } = process.env;
  const bin = new URL("node_modules/.bin", folder).pathname;
  const [command = "", ...args] = (scripts[script] ?? "").split(" ");
  const child = spawn(join(bin, command), args, { cwd: directory, env: { PATH, ...settings } });
  let errors = "";
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  return { child, ended: once(child, "close").then(([code]) => code as number | null), errors: () => errors };
}

it("serves from the package alone, and is in order by its own check", async () => {
  const directory = mkdtempSync(join(tmpdir(), "reeve-example-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const settings = { PORT: String(await freePort()), REEVE_REGISTRATION: "open" };
  const server = run("start", directory, settings);
  onTestFinished(() => void server.child.kill("SIGKILL"));
  while (!server.errors().includes("Reeve is ready")) {
    expect(server.child.exitCode, server.errors()).toBeNull();
    await once(server.child.stderr, "data");
  }
  const post = (path: string, body: object) =>
    fetch(`http://127.0.0.1:${settings.PORT}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const account = { username: "ada@acme.example", password: "a phrase nobody else knows" };
  expect((await post("/register", { organization: "Acme", ...account })).status).toBe(201);
  expect((await post("/auth/signin", account)).status).toBe(200);
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  const doctor = run("doctor", directory, settings);
  expect(await doctor.ended, doctor.errors()).toBe(0);
});
