// Runs the tour against the built standalone server: `test-tour.ts <fastify|express> <sqlite|postgres>`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, freePort, startPostgres } from "@reeve/testkit/postgres";
import { root, say } from "./lib/workspace.mjs";

const [adapter = "fastify", store = "sqlite"] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "reeve-tour-"));

/** A new database, on the PostgreSQL of TEST_DATABASE_URL or on one from the npm-shipped programs. */
async function postgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    const database = await createDatabase(given);
    return { url: database.url, stop: () => database.drop() };
  }
  const server = await startPostgres({ inMemory: true });
  return { url: server.url(), stop: () => server.stop() };
}

function run(program: string, settings: Record<string, string>) {
  const child = spawn(process.execPath, [join(root, program)], {
    cwd: directory,
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const running = { child, output: "", ended: once(child, "close").then(([code]) => code as number | null) };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      running.output += text;
    });
  }
  return running;
}

async function play(REEVE_STORE: string): Promise<boolean> {
  const PORT = String(await freePort());
  const server = run("packages/server/dist/reeve.js", {
    PORT,
    HOST: "127.0.0.1",
    REEVE_ADAPTER: adapter,
    REEVE_STORE,
    REEVE_REGISTRATION: "verified_email",
    // The systems of the tour run on this machine.
    REEVE_EGRESS_ALLOW: "127.0.0.1",
    REEVE_TICK_SECONDS: "1",
  });
  try {
    const ready = new Promise<boolean>((resolve) => {
      server.child.stderr.on("data", () => server.output.includes("Reeve is ready") && resolve(true));
      server.ended.then(() => resolve(false));
    });
    if (!(await ready)) {
      say(server.output);
      return false;
    }
    const tour = run("examples/tour/dist/main.js", {
      REEVE_BASE_URL: `http://127.0.0.1:${PORT}`,
      REEVE_MAIL: store === "postgres" ? "./data/mail" : "./mail",
    });
    const toured = await tour.ended;
    server.child.kill("SIGTERM");
    const stopped = await server.ended;
    if (toured === 0 && stopped === 0) return true;
    say(`${tour.output}\nThe tour ended with ${toured}, the server with ${stopped}. The server's last words:`);
    say(server.output.split("\n").slice(-30).join("\n"));
    return false;
  } finally {
    server.child.kill("SIGKILL");
  }
}

const database = store === "postgres" ? await postgres() : undefined;
try {
  if (!(await play(database?.url ?? "sqlite:./reeve.sqlite"))) process.exitCode = 1;
} finally {
  await database?.stop();
  rmSync(directory, { recursive: true, force: true });
}
