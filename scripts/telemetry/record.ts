// Records what real clients and libraries send by the protocol of OpenTelemetry, as data for tests:
//
//   npx tsx scripts/telemetry/record.ts [name…]
//
// Each runs against a model on loopback. Libraries come from npm into a temporary folder, clients from those that
// scripts/install-counterparties.sh installs. What cannot be had is named and left out.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root, say } from "../lib/workspace.mjs";
import { startModel } from "./model.js";
import { startReceiver } from "./receiver.js";
import { SOURCES, type Source } from "./sources.js";
import { tidy } from "./tidy.js";

const TO = join(root, "packages/core/test/enforcement/telemetry/recorded");
/** Exporters send what is left when their program ends. */
const AFTERWARDS = 500;

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<string> {
  const PATH = `/opt/reeve-runtimes/node_modules/node/bin:${process.env.PATH}`;
  const child = spawn(command, args, {
    cwd,
    env: { ...env, PATH },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 120_000,
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  await once(child, "close");
  return printed;
}

async function install({ packages }: Source, folder: string): Promise<void> {
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const programs = join(dirname(fileURLToPath(import.meta.url)), "programs");
  for (const name of readdirSync(programs))
    copyFileSync(join(programs, name), join(folder, name.replace(/\.txt$/, "")));
  if (packages.length === 0) return;
  const options = ["--legacy-peer-deps", "--no-audit", "--no-fund"];
  // As its user has set up npm.
  await run("npm", ["install", ...options, ...packages], folder, process.env as Record<string, string>);
}

async function record(source: Source): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "reeve-telemetry-"));
  const home = join(folder, "home");
  mkdirSync(join(home, "work"), { recursive: true });
  await install(source, folder);
  const model = await startModel(source.calls);
  const receiver = await startReceiver();
  const { command, args, env } = source.start({ home, model: model.url, receiver: receiver.url }, folder);
  const printed = await run(command, args, join(home, "work"), { HOME: home, ...env });
  await new Promise((resolve) => setTimeout(resolve, AFTERWARDS));
  model.close();
  receiver.close();
  if (receiver.received.length === 0) say(`${source.name}: nothing was sent, so it is left out\n${printed}`);
  else {
    const exports = tidy(receiver.received, { folder, model: model.url });
    const { versions, name } = source;
    const lines = [{ versions, counted: model.counted }, ...exports].map((one) => JSON.stringify(one));
    mkdirSync(TO, { recursive: true });
    writeFileSync(join(TO, `${name}.jsonl`), `${lines.join("\n")}\n`);
    say(`${source.name}: ${model.counted.length} calls, ${exports.length} exports`);
  }
  rmSync(folder, { recursive: true, force: true });
}

const names = process.argv.slice(2);
for (const source of SOURCES) if (names.length === 0 || names.includes(source.name)) await record(source);
