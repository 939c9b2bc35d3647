import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { type Binaries, installedBinaries, prepareBinaries } from "./binaries.js";
import { freePort } from "./free-port.js";
import { memoryFolder } from "./memory-folder.js";
import { copyForStandby } from "./standby.js";
import { startWatchdog } from "./watchdog.js";

/** A running throw-away PostgreSQL server on 127.0.0.1. Its superuser is `postgres`, without a password. */
export interface PostgresServer {
  /** The superuser's connection URL of a database, by default `postgres`. */
  url(database?: string): string;
  /** The same by its Unix socket, which answers sooner. `url` where the server has none, as its path would be too long. */
  socketUrl(database?: string): string;
  port: number;
  /** The process id of the server. */
  readonly pid: number;
  /** Stops the server and starts it again on the same port and data: in order, or as if it had crashed. */
  restart(how: "fast" | "immediate"): Promise<void>;
  /** Ends the server as if it had crashed, and keeps its data. */
  crash(): Promise<void>;
  /** Starts a standby that follows this server. */
  standby(): Promise<PostgresServer>;
  /** Ends all sessions, stops the server and deletes its data. */
  stop(): Promise<void>;
}

/** Server settings by name, as in postgresql.conf. */
export type PostgresSettings = Record<string, string | number>;

export interface PostgresOptions {
  readonly settings?: PostgresSettings;
  /** Keeps the data in memory if the machine has a folder for that. Otherwise, and by default, it is on disk. */
  readonly inMemory?: boolean;
  /** The folder of an installation's programs, in place of the npm-shipped ones. */
  readonly programs?: string;
}

/** For tests only: data does not survive a crash, and starts and writes are fast. */
const DEFAULTS: PostgresSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: 200,
  listen_addresses: "127.0.0.1",
};

const START_ATTEMPTS = 3;
/** The most bytes of a Unix socket's path on the systems that allow least. */
const SOCKET_PATH = 103;

/** The folder of the Unix socket: that of the settings, or else of the data. Empty for none. */
function socketFolder(data: string, { unix_socket_directories: given }: PostgresSettings): string {
  if (given !== undefined) return String(given).split(",")[0] ?? "";
  return Buffer.byteLength(join(data, ".s.PGSQL.65535")) <= SOCKET_PATH ? data : "";
}

/**
 * Starts a real PostgreSQL from the npm-shipped programs, with an empty cluster and a free port. As root it runs the
 * server as nobody. However this process ends, the server ends and its data is deleted.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const settings = { ...DEFAULTS, ...options.settings };
  const binaries = options.programs === undefined ? prepareBinaries() : installedBinaries(options.programs);
  return launch(binaries, settings, options.inMemory, createCluster);
}

/** Starts a server on the data that `fill` puts into an empty folder. */
async function launch(
  binaries: Binaries,
  settings: PostgresSettings,
  inMemory: boolean | undefined,
  fill: (binaries: Binaries, data: string) => Promise<void>,
): Promise<PostgresServer> {
  const home = (inMemory ? memoryFolder() : undefined) ?? binaries.temporary;
  const data = mkdtempSync(join(home, "reeve-postgres-data-"));
  const watchdog = startWatchdog(data);
  try {
    await fill(binaries, data);
    const started = await start(binaries, data, settings);
    const { port } = started;
    let { child } = started;
    const socket = socketFolder(data, settings);
    const url = (database = "postgres") => `postgres://postgres@127.0.0.1:${port}/${database}`;
    return {
      url,
      socketUrl: (database) => (socket === "" ? url(database) : `${url(database)}?host=${encodeURIComponent(socket)}`),
      port,
      get pid() {
        return child.pid as number;
      },
      async restart(how) {
        await end(child, how === "fast" ? "SIGINT" : "SIGQUIT");
        ({ child } = await start(binaries, data, settings, port));
      },
      crash: () => end(child, "SIGQUIT"),
      standby: () => {
        const following = { ...settings, primary_conninfo: `host=127.0.0.1 port=${port} user=postgres` };
        return launch(binaries, following, inMemory, (_, copy) => copyForStandby(binaries, url(), data, copy));
      },
      async stop() {
        await end(child, "SIGINT");
        await watchdog.finish();
      },
    };
  } catch (error) {
    await watchdog.finish();
    throw error;
  }
}

async function end(child: Server, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

async function createCluster({ program, env, identity }: Binaries, data: string): Promise<void> {
  if (identity.uid !== undefined && identity.gid !== undefined) chownSync(data, identity.uid, identity.gid);
  const args = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  await promisify(execFile)(program("initdb"), args, { ...identity, env, cwd: data });
}

type Server = ChildProcessByStdio<null, null, Readable>;

/** Another process can take the port before the server binds it. Such a start is retried. */
async function start(binaries: Binaries, data: string, settings: PostgresSettings, known?: number) {
  for (let attempt = 1; ; attempt++) {
    const port = known ?? (await freePort());
    const args = ["-D", data, "-p", String(port), "-k", socketFolder(data, settings)];
    for (const [name, value] of Object.entries(settings)) args.push("-c", `${name}=${value}`);
    const child = spawn(binaries.program("postgres"), args, {
      ...binaries.identity,
      env: binaries.env,
      cwd: data,
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    });
    const failure = await ready(child);
    if (failure === undefined) return { child, port };
    if (attempt === START_ATTEMPTS || !failure.includes("Address already in use")) throw new Error(failure);
  }
}

/** Resolves to `undefined` once the server accepts connections, or to its log if it ended. */
async function ready(child: Server): Promise<string | undefined> {
  let log = "";
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(`postgres did not start: ${log}`));
    const listen = (text: string) => {
      log += text;
      if (!/ready to accept (read-only )?connections/.test(log)) return;
      // The pipe must be drained, but neither it nor the server may keep this process alive.
      child.stderr.off("data", listen).resume();
      child.unref();
      (child.stderr as Readable & { unref?(): void }).unref?.();
      resolve(undefined);
    };
    child.stderr.setEncoding("utf8").on("data", listen);
  });
}
