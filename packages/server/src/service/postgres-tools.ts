import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../failure.js";
import { serversOf, socketOf } from "../settings/values.js";
import { DumpRows } from "./dump-rows.js";
import { placeFile } from "./place-file.js";
import { makePrivateFile } from "./private-file.js";

const DEFAULT_SCHEMA = "reeve";

const HINTS = [
  [/row-level security|row security/, "; the login needs BYPASSRLS or to be a superuser"],
  [/server version mismatch/, "; install the client programs of the server's version"],
] as const;

/** What an operator does about such an error of PostgreSQL, to be written behind it. */
export const hintOf = (text: string): string => HINTS.find(([told]) => told.test(text))?.[1] ?? "";

/** The rows of each table, by its name. */
export type RowCounts = ReadonlyMap<string, number>;

/** What to dump. */
interface Dumping {
  readonly url: string;
  readonly schema?: string | undefined;
  /** Runs the dump on a snapshot, and tells what rows it has. */
  readonly atOneMoment: (dump: (snapshot: string) => Promise<void>) => Promise<RowCounts>;
}

/**
 * Dumps a database by `pg_dump` to a new file, which appears once it was read to its end and has the rows of the moment
 * that was dumped. A failed dump leaves nothing behind. Rejects with `Failure`.
 */
export async function dumpPostgres(
  file: string,
  { url, schema = DEFAULT_SCHEMA, atOneMoment }: Dumping,
): Promise<RowCounts> {
  const part = `${file}.${process.pid}.part`;
  try {
    await makePrivateFile(part);
    // A restore makes the schema of the mark itself, before it reads a dump.
    const how = ["--format=custom", "--no-password", `--exclude-schema="${schema}_restored"`, `--file=${part}`];
    const counts = await atOneMoment((snapshot) =>
      run("pg_dump", [...how, `--snapshot=${snapshot}`], { url }).then(() => undefined),
    );
    checkSame(file, counts, await readDump(part, file, schema));
    placeFile(part, file);
    return counts;
  } finally {
    await rm(part, { force: true });
  }
}

function checkSame(file: string, made: RowCounts, found: RowCounts): void {
  const names = [...new Set([...made.keys(), ...found.keys()])];
  const [first] = names.filter((name) => made.get(name) !== found.get(name));
  if (first === undefined) return;
  const [rows, of] = [found, made].map((counts) => counts.get(first) ?? "no");
  throw new Failure(`the dump into ${file} is not whole: it has ${rows} rows of ${first}, and the database has ${of}`);
}

/** Reads a dump to its end, as a restore would. `shown` names it in a `Failure`, with which a damaged one rejects. */
async function readDump(file: string, shown: string, schema: string): Promise<RowCounts> {
  const rows = new DumpRows(schema);
  try {
    await run("pg_restore", ["--section=data", "--file=-", file], { take: (part) => rows.take(part) });
  } catch (error) {
    throw new Failure(`${shown} is damaged or cut off: ${(error as Error).message.replaceAll(file, shown)}`);
  }
  return rows.counts;
}

/**
 * Restores a dump by `pg_restore` into a database that has the schema and nothing in it, all or nothing. Rejects with
 * `Failure`.
 */
export async function restorePostgres(url: string, file: string, schema = DEFAULT_SCHEMA): Promise<void> {
  const contents = await run("pg_restore", ["--list", file]);
  const folder = await mkdtemp(join(tmpdir(), "reeve-restore-"));
  try {
    const list = join(folder, "contents");
    // The schema is there already, so its own entry is left out.
    const kept = contents.split("\n").filter((entry) => !entry.includes(` SCHEMA - ${schema} `));
    await writeFile(list, kept.join("\n"), { mode: 0o600 });
    const how = ["--single-transaction", "--exit-on-error", "--no-password", `--use-list=${list}`];
    await run("pg_restore", [...how, `--dbname=${addressOf(url).PGDATABASE}`, file], { url });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Gathers the statistics that plans of queries rest on, because a dump has none. Rejects with `Failure`. */
export async function analyzePostgres(url: string): Promise<void> {
  await run("psql", ["--no-psqlrc", "--no-password", "--quiet", "--command=ANALYZE"], { url });
}

/** Rejects with a `Failure` for a file that is no dump of Reeve, or a damaged one, before anything is made of it. */
export async function requireDump(file: string, schema = DEFAULT_SCHEMA): Promise<void> {
  const contents = await run("pg_restore", ["--list", file]).catch((error: Failure) => {
    throw new Failure(`${file}: ${error.message}`);
  });
  if (!contents.includes(` TABLE ${schema} migrations `))
    throw new Failure(`${file} holds no database of Reeve in the schema ${schema}`);
  await readDump(file, file, schema);
}

/** The major version of one of the programs. Rejects with `Failure` where it is not there. */
export async function toolVersion(tool: string): Promise<number> {
  const printed = await run(tool, ["--version"]);
  return Number(/(\d+)/.exec(printed)?.[1]);
}

/** What a program is given: the address of a database, and where what it prints goes. */
interface Running {
  readonly url?: string;
  readonly take?: (part: Buffer) => void;
}

/**
 * Passes the address by the environment, because process lists show arguments. Resolves to what it prints, unless that is
 * taken.
 */
async function run(tool: string, args: readonly string[], { url, take }: Running = {}): Promise<string> {
  const address = url === undefined ? {} : addressOf(url);
  const child = spawn(tool, args, { env: { ...process.env, ...address }, stdio: ["ignore", "pipe", "pipe"] });
  const printed: Buffer[] = [];
  let errors = "";
  child.stdout.on("data", take ?? ((part: Buffer) => void printed.push(part)));
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
  if (code === 0) return Buffer.concat(printed).toString();
  throw new Failure(`${errors.trim().split("\n")[0] || `${tool} ended with ${code}`}${hintOf(errors)}`);
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
