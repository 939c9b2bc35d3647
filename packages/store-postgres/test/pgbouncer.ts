import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { program } from "@reeve/testkit/programs";
import { expect, onTestFinished } from "vitest";

export const pgbouncer = program("pgbouncer", "pgbouncer");

/** A real PgBouncer in transaction mode with few connections to the server of `url`. */
export async function openPooler(url: string, logins: readonly string[], connections = 3) {
  const server = new URL(url);
  const directory = mkdtempSync(join(tmpdir(), "reeve-pgbouncer-"));
  chmodSync(directory, 0o755);
  const port = await freePort();
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    auth_type: "trust",
    auth_file: join(directory, "users"),
    pool_mode: "transaction",
    default_pool_size: connections,
    max_client_conn: 200,
    unix_socket_dir: "",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(directory, "pgbouncer.ini");
  writeFileSync(settings.auth_file, logins.map((login) => `"${login}" ""\n`).join(""));
  writeFileSync(
    file,
    `[databases]\n* = host=${server.hostname} port=${server.port}\n[pgbouncer]\n${lines.join("\n")}\n`,
  );
  const start = async () => {
    const child = spawn(pgbouncer.path as string, [file], { stdio: "ignore", ...nobody() });
    await expect.poll(() => answers(port)).toBe(true);
    return child;
  };
  let child = await start();
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  onTestFinished(async () => {
    await end();
    rmSync(directory, { recursive: true });
  });
  const through = (login: string) => {
    const way = new URL(url);
    way.username = login;
    way.port = String(port);
    return way.href;
  };
  return {
    through,
    crash: end,
    async restart() {
      await end();
      child = await start();
    },
  };
}

/** It refuses to run as root. */
function nobody() {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.end(() => resolve(true)));
    socket.on("error", () => resolve(false));
  });
}
