import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import express from "express";
import Fastify from "fastify";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runCommand } from "../run-command.js";

function project(manifest: object) {
  const directory = mkdtempSync(join(tmpdir(), "reeve-init-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, "package.json"), JSON.stringify(manifest));
  const read = (name: string) => readFileSync(join(directory, name), "utf8");
  return { directory, read, init: (...args: string[]) => runCommand(["init", ...args], directory) };
}

describe("reeve init", () => {
  it.each(["express", "fastify"] as const)("adds Reeve to a project with %s, and it answers", async (framework) => {
    const { directory, read, init } = project({ type: "module", dependencies: { [framework]: "5" } });
    const { code, errors } = await init();
    expect(code).toBe(0);
    expect(errors).toContain(`npm install @reeve/core @reeve/adapter-${framework} @reeve/store-sqlite`);
    expect(errors).not.toContain(read(".env").split("\n")[0]);
    expect(statSync(join(directory, ".env")).mode & 0o777).toBe(0o600);
    expect(read(".gitignore")).toBe(".env\n/data/\n");
    symlinkSync(join(import.meta.dirname, "../../node_modules"), join(directory, "node_modules"));
    for (const line of read(".env").trim().split("\n")) {
      const at = line.indexOf("=");
      vi.stubEnv(line.slice(0, at), line.slice(at + 1));
    }
    onTestFinished(() => void vi.unstubAllEnvs());
    const text = read("reeve.js").replace("./data/reeve.sqlite", join(directory, "data/reeve.sqlite"));
    writeFileSync(join(directory, "mounted.mjs"), text);
    const { controlPlane, mountReeve } = await import(pathToFileURL(join(directory, "mounted.mjs")).href);
    onTestFinished(() => controlPlane.close());
    const app = framework === "express" ? express() : Fastify();
    await mountReeve(app);
    if ("ready" in app) await app.ready();
    const server = "server" in app ? app.server : createServer(app);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await fetch(`${address}/governance/api/v1/monitor/ping`);
    expect(await answer.json()).toMatchObject({ status: "ok" });
  });

  it("writes what the project is written in", async () => {
    const commonjs = project({ dependencies: { express: "4" } });
    await commonjs.init();
    expect(commonjs.read("reeve.js")).toContain("module.exports = { controlPlane, mountReeve }");
    const typed = project({ devDependencies: { fastify: "5" } });
    writeFileSync(join(typed.directory, "tsconfig.json"), "{}");
    await typed.init("--file", "src/governance.ts");
    expect(typed.read("src/governance.ts")).toContain("mountReeve(app: FastifyInstance): Promise<void>");
  });

  it("overwrites nothing, and keeps what is there", async () => {
    const { directory, read, init } = project({ dependencies: { express: "5" } });
    writeFileSync(join(directory, ".env"), "PORT=1");
    writeFileSync(join(directory, ".gitignore"), "node_modules\n.env\n");
    await init();
    expect(read(".env")).toMatch(/^PORT=1\nREEVE_MASTER_KEY=.{44}\nREEVE_BASE_URL=/);
    expect(read(".gitignore")).toBe("node_modules\n.env\n");
    const kept = [read("reeve.js"), read(".env")];
    const again = await init();
    expect([again.code, again.errors]).toEqual([1, "reeve: reeve.js is there already; nothing was written\n"]);
    const other = await init("--file", "other.js");
    expect(other.errors).toContain(".env: left as it is");
    expect([read("reeve.js"), read(".env")]).toEqual(kept);
  });

  it("says what it does not know", async () => {
    const none = project({});
    expect((await none.init()).errors).toContain("names neither express nor fastify");
    expect((await none.init("--framework", "koa")).errors).toContain("express or fastify");
    expect(existsSync(join(none.directory, ".env"))).toBe(false);
    expect((await project({ dependencies: { express: "5", fastify: "5" } }).init()).errors).toContain("choose one");
  });
});

describe("reeve completion", () => {
  const script = async (shell: string) => (await runCommand(["completion", shell], tmpdir())).output;

  it("completes commands, those of groups, and options in bash", async () => {
    const text = await script("bash");
    const complete = (...words: string[]) => {
      const array = words.map((word) => `'${word}'`).join(" ");
      const run = `COMP_WORDS=(reeve ${array}); COMP_CWORD=${words.length}; _reeve; echo "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", `${text}\n${run}`], { encoding: "utf8" }).trim();
    };
    expect(complete("ass")).toBe("assets");
    expect(complete("policy", "")).toContain("test diff apply pull");
    expect(complete("policy", "diff", "--prof")).toBe("--profile");
    expect(complete("assets", "--lim")).toBe("--limit");
  });

  it("is there for zsh and fish, and for no other shell", async () => {
    expect(await script("zsh")).toMatch(/^#compdef reeve\n[\s\S]*'assets:list AI assets'/);
    expect(await script("fish")).toContain(`complete -c reeve -n "__reeve_at 'policy'" -a test -d`);
    expect((await runCommand(["completion", "tcsh"], tmpdir())).errors).toContain("bash, zsh, fish");
  });
});
