// Starts a fresh app of ten lines on each host with the packed packages, and registers an asset in it.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { link } from "./packed.js";
import { elapsed, root, say } from "./workspace.mjs";

const MOST_LINES = 10;
const HEAD = `import { createControlPlane } from "@reeve/core";
import { createSqliteStore } from "@reeve/store-sqlite";
const { PORT: port, REEVE_MASTER_KEY: masterKey } = process.env;
const baseUrl = \`http://127.0.0.1:\${port}\`;
const store = createSqliteStore({ file: "reeve.db" });
const controlPlane = createControlPlane({ store, masterKey, baseUrl, registration: "open" });
`;
const express = (name: string) => `import { reeve } from "@reeve/adapter-express";
import express from "${name}";
express().use(reeve(controlPlane)).listen(port);
`;

/** What each app adds to the control plane. */
const HOSTS: Readonly<Record<string, string>> = {
  "Express 5": express("express"),
  "Express 4": express("express-4"),
  Fastify: `import { reeve } from "@reeve/adapter-fastify";
import Fastify from "fastify";
const app = await Fastify().register(reeve, { controlPlane });
await app.listen({ port });
`,
  "plain http": `import { createServer } from "node:http";
import { reeveListener } from "@reeve/adapter-http";
createServer(reeveListener(controlPlane)).listen(port);
`,
  Hono: `import { serve } from "@hono/node-server";
import { Hono } from "hono";
const app = new Hono().use(async (c, next) => (await controlPlane.fetch(c.req.raw)) ?? next());
serve({ fetch: app.fetch, port: Number(port) });
`,
  NestJS: `import { reeve } from "@reeve/adapter-express";
import { NestFactory } from "@nestjs/core";
const app = await NestFactory.create({ module: class App {} }, { bodyParser: false, logger: false });
await app.use(reeve(controlPlane)).listen(port);
`,
};

const MODULES = [
  ...["express", "express-4", "fastify", "hono", "@hono/node-server", "reflect-metadata", "rxjs"],
  ...["@nestjs/common", "@nestjs/core", "@nestjs/platform-express"],
];

/** The faults of the apps: too many lines, one that does not start, or an asset that is not registered. */
export async function packedHostFaults(consumer: string): Promise<string[]> {
  const folder = join(consumer, "hosts");
  for (const name of MODULES)
    link(join(root, "examples/existing-app/node_modules", name), join(folder, "node_modules", name));
  const started = performance.now();
  const faults = await Promise.all(
    Object.entries(HOSTS).map(([host, text], at) =>
      freshAppFaults(host, join(folder, `app-${at}`), "app.mjs", HEAD + text),
    ),
  );
  say(`${faults.length} fresh apps registered their first asset after ${elapsed(started)}`);
  return faults.flat();
}

/** The faults of one app, written as a file of a folder. */
export async function freshAppFaults(host: string, cwd: string, file: string, text: string): Promise<string[]> {
  const lines = text.trim().split("\n").length;
  if (lines > MOST_LINES) return [`${host}: the fresh app has ${lines} lines`];
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, file), text);
  const port = await freePort();
  const env = { PORT: String(port), REEVE_MASTER_KEY: randomBytes(32).toString("base64") };
  const child = spawn(process.execPath, [file], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "close");
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (data) => {
    errors += data;
  });
  try {
    const base = `http://127.0.0.1:${port}/api/v1`;
    if (!(await answers(child, base))) return [`${host}: the fresh app does not start: ${errors}`];
    const status = await firstAsset(base);
    return status === 201 ? [] : [`${host}: the first asset is answered with ${status}: ${errors}`];
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

/** Whether the app answers before it ends. */
export async function answers(child: ChildProcess, base: string): Promise<boolean> {
  while (child.exitCode === null) {
    const answer = await fetch(`${base}/monitor/ping`).catch(() => undefined);
    if (answer) return answer.status === 200;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

/** A tenant, a sign-in and an asset. Returns the status of the last. */
export async function firstAsset(base: string): Promise<number> {
  const post = (path: string, body: object, token = "") =>
    fetch(base + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });
  const account = { username: "ada@acme.example", password: "a phrase nobody else knows" };
  const registered = await post("/register", { organization: "Acme", ...account });
  if (registered.status !== 201) return registered.status;
  const { token } = (await (await post("/auth/signin", account)).json()) as { token: string };
  return (await post("/ai-assets", { name: "Support assistant", assetType: "agent" }, token)).status;
}
