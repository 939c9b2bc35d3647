import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { freePort } from "../lib/free-port.js";
import { answers, firstAsset } from "../lib/packed-hosts.js";
import { elapsed, filesBelow, root, say } from "../lib/workspace.mjs";
import type { Host } from "./host.js";

/** What keeps a host from a first asset, or from an orderly end. */
export async function hostFaults(host: Host, folder: string, registry: string): Promise<string[]> {
  const started = performance.now();
  try {
    makeProject(host, folder, registry);
    buildWithoutSettings(host, folder);
    const faults = await runToItsEnd(host, folder);
    say(`${host.name}: installed, built and run to its end after ${elapsed(started)}`);
    return faults.map((fault) => `${host.name}: ${fault}`);
  } catch (error) {
    return [`${host.name}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function makeProject(host: Host, folder: string, registry: string): void {
  const files = {
    "package.json": '{ "private": true }',
    ".npmrc": `@reeve:registry=${registry}\n`,
    ...host.files,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  install(folder, ...host.packages, ...host.reeve);
  placeSqlite(folder);
}

/** After how many milliseconds an installation is begun again: npm may wait for ever for a connection that broke (seen with 11.19). */
const INSTALL_MS = 240_000;
const TRIES = 2;

/** Installs packages as a stranger does, but for their scripts. */
export function install(cwd: string, ...words: string[]): void {
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--save-exact", "--loglevel=error"];
  const bounds = { timeout: INSTALL_MS, killSignal: "SIGKILL" } as const;
  for (let left = TRIES; left > 0; left -= 1) {
    try {
      execFileSync("npm", ["install", ...quiet, ...words], { cwd, stdio: ["ignore", "ignore", "inherit"], ...bounds });
      return;
    } catch (error) {
      if (left === 1 || (error as NodeJS.ErrnoException).code !== "ETIMEDOUT") throw error;
      say(`npm install does not end in ${cwd}; it is begun again`);
    }
  }
}

/** Puts the binary of better-sqlite3 in place, which its script would fetch or compile, and the workspace has already. */
export function placeSqlite(cwd: string): void {
  const binary = "better-sqlite3/build/Release/better_sqlite3.node";
  const built = join(root, "packages/store-sqlite/node_modules", binary);
  if (existsSync(built)) cpSync(built, join(cwd, "node_modules", binary));
}

/** Builds it as a machine without secrets does, and sees that no database is made. Throws with what is printed. */
function buildWithoutSettings({ build = [] }: Host, cwd: string): void {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  for (const [name = "", ...args] of build) {
    const program = join(cwd, "node_modules/.bin", name);
    const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`${name} ends with ${status}: ${stdout}${stderr}`);
  }
  if (existsSync(join(cwd, "data"))) throw new Error(`building makes ${filesBelow(join(cwd, "data"), () => true)}`);
}

async function runToItsEnd({ start: [name = "", ...args], env: told, prefix }: Host, cwd: string): Promise<string[]> {
  const port = await freePort();
  const key = randomBytes(32).toString("base64");
  const env = { ...process.env, ...told, PORT: String(port), HOST: "127.0.0.1", REEVE_MASTER_KEY: key };
  const program =
    name === "node" ? process.execPath : join(cwd, name.includes("/") ? name : `node_modules/.bin/${name}`);
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close") as Promise<Ended>;
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (data: string) => {
      printed += data;
    });
  try {
    const base = `http://127.0.0.1:${port}${prefix}/api/v1`;
    if (!(await answers(child, base))) return [`does not start: ${printed}`];
    const status = await firstAsset(base);
    if (status !== 201) return [`the first asset is answered with ${status}: ${printed}`];
    const faults = await faultsOfEnding(child, ended);
    return faults.map((fault) => `${fault}: ${printed}`).concat(leftOpen(cwd));
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

/** How a process has ended: some frameworks end their hosts by the signal that they were sent. */
type Ended = [code: number | null, signal: NodeJS.Signals | null];

/** How long a host may take to end. */
const MOST_SECONDS = 15;

async function faultsOfEnding(child: ChildProcess, ended: Promise<Ended>): Promise<string[]> {
  child.kill("SIGTERM");
  const late = new Promise<"late">((resolve) => setTimeout(resolve, MOST_SECONDS * 1000, "late").unref());
  const outcome = await Promise.race([ended, late]);
  if (outcome === "late") return [`does not end within ${MOST_SECONDS} seconds of SIGTERM`];
  const [code, signal] = outcome;
  return code === 0 || signal === "SIGTERM" ? [] : [`ends with ${code ?? signal}`];
}

/** SQLite takes its log away when the last connection is closed. */
const leftOpen = (cwd: string) =>
  existsSync(join(cwd, "data/reeve.sqlite-wal")) ? ["ends before the control plane is closed"] : [];
