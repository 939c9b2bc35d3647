import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../failure.js";
import { serversOf, socketOf } from "../settings/values.js";
import { placeFile } from "./place-file.js";
import { makePrivateFile } from "./private-file.js";

const DEFAULT_SCHEMA = "reeve";

const HINTS = [
  [/row-level security|row security/, "; the login needs BYPASSRLS or to be a superuser"],
  [/server version mismatch/, "; install the client programs of the server's version"],
] as const;

/** Dumps a database by `pg_dump` to a new file, which appears complete or not at all. Rejects with `Failure`. */
export async function dumpPostgres(url: string, file: string, schema = DEFAULT_SCHEMA): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  try {
    await makePrivateFile(part);
    // A restore makes the schema of the mark itself, before it reads a dump.
    const notTheMark = `--exclude-schema="${schema}_restored"`;
    await run("pg_dump", ["--format=custom", "--no-password", notTheMark, `--file=${part}`], url);
    await run("pg_restore", ["--list", part], url);
    placeFile(part, file);
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Restores a dump by `pg_restore` into a database that has the schema and nothing in it, all or nothing. Rejects with
 * `Failure`.
 */
export async function restorePostgres(url: string, file: string, schema = DEFAULT_SCHEMA): Promise<void> {
  const contents = await run("pg_restore", ["--list", file], url);
  const folder = await mkdtemp(join(tmpdir(), "reeve-restore-"));
  try {
    const list = join(folder, "contents");
    // The schema is there already, so its own entry is left out.
    const kept = contents.split("\n").filter((entry) => !entry.includes(` SCHEMA - ${schema} `));
    await writeFile(list, kept.join("\n"), { mode: 0o600 });
    const how = ["--single-transaction", "--exit-on-error", "--no-password", `--use-list=${list}`];
    await run("pg_restore", [...how, `--dbname=${addressOf(url).PGDATABASE}`, file], url);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Gathers the statistics that plans of queries rest on, because a dump has none. Rejects with `Failure`. */
export async function analyzePostgres(url: string): Promise<void> {
  await run("psql", ["--no-psqlrc", "--no-password", "--quiet", "--command=ANALYZE"], url);
}

/** Throws a `Failure` for a file that is no dump of Reeve, before anything is made of it. */
export async function requireDump(url: string, file: string, schema = DEFAULT_SCHEMA): Promise<void> {
  const contents = await run("pg_restore", ["--list", file], url);
  if (!contents.includes(` TABLE ${schema} migrations `))
    throw new Failure(`${file} holds no database of Reeve in the schema ${schema}`);
}

/** The major version of one of the programs. Rejects with `Failure` where it is not there. */
export async function toolVersion(tool: string): Promise<number> {
  const printed = await run(tool, ["--version"]);
  return Number(/(\d+)/.exec(printed)?.[1]);
}

/** Passes the address by the environment, because process lists show arguments. Resolves to what it prints. */
async function run(tool: string, args: readonly string[], url?: string): Promise<string> {
  const address = url === undefined ? {} : addressOf(url);
  const child = spawn(tool, args, { env: { ...process.env, ...address }, stdio: ["ignore", "pipe", "pipe"] });
  let [printed, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    printed += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors = (errors + text).slice(0, 2_000);
  });
  const code = await once(child, "close").then(
    ([ended]) => ended as number | null,
    (error: NodeJS.ErrnoException) => {
      throw new Failure(
        error.code === "ENOENT"
          ? `${tool} of PostgreSQL is not on the PATH: install the client programs of the server's version`
          : `${tool}: ${error.code}`,
      );
    },
  );
  if (code === 0) return printed;
  const [, hint = ""] = HINTS.find(([told]) => told.test(errors)) ?? [];
  throw new Failure(`${errors.trim().split("\n")[0] || `${tool} ended with ${code}`}${hint}`);
}

function addressOf(url: string): Record<string, string> {
  const servers = serversOf(url);
  const { username, password, pathname, searchParams } = servers[0] as URL;
  const ports = servers.map((server) => server.searchParams.get("port") || server.port);
  const parts = {
    PGHOST: servers.map((server) => socketOf(server) ?? server.hostname.replace(/^\[(.+)\]$/, "$1")).join(","),
    PGPORT: ports.some((port) => port !== "") ? ports.map((port) => port || "5432").join(",") : "",
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGSSLMODE: searchParams.get("sslmode") ?? "",
    PGSSLROOTCERT: searchParams.get("sslrootcert") ?? "",
    PGSSLCERT: searchParams.get("sslcert") ?? "",
    PGSSLKEY: searchParams.get("sslkey") ?? "",
    PGTARGETSESSIONATTRS: searchParams.get("target_session_attrs") ?? "",
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ""));
}
