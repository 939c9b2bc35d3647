import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { DumpRows } from "../src/service/dump-rows.js";
import { dumpPostgres } from "../src/service/postgres-tools.js";

const SCRIPT = `-- PostgreSQL database dump
SELECT pg_catalog.set_config('search_path', '', false);
COPY reeve.events (tenant_id, data) FROM stdin;
one\t{"text": "COPY reeve.users (id) FROM stdin;"}
two\t\\\\.
${"x".repeat(5_000)}
\\.

COPY public.notes (text) FROM stdin;
foreign
\\.

COPY reeve."odd ""name" (id) FROM stdin;
\\.

COPY reeve.users (id) FROM stdin;
1
\\.

SELECT pg_catalog.setval('reeve.numbers', 5, true);
`;

it("counts the rows of a dump, wherever its parts end", () => {
  const expected = { events: 3, 'odd "name': 0, users: 1 };
  const whole = Buffer.from(SCRIPT);
  for (const length of [1, 2, 3, 7, 64, whole.length]) {
    const rows = new DumpRows("reeve");
    for (let from = 0; from < whole.length; from += length) rows.take(whole.subarray(from, from + length));
    expect([length, Object.fromEntries(rows.counts)]).toEqual([length, expected]);
  }
});

/** A folder whose programs are tried first. */
function toolFolder(tools: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), "reeve-tools-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, script] of Object.entries(tools)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(directory, name), 0o700);
  }
  vi.stubEnv("PATH", `${directory}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return directory;
}

/** Dumps into a file of the folder what has these rows. */
const dumpInto = (directory: string, rows: Readonly<Record<string, number>>, parameters = "") =>
  dumpPostgres(join(directory, "reeve.dump"), {
    url: `postgres://app@127.0.0.1/app${parameters}`,
    atOneMoment: async (dump) => {
      await dump("00000003-0000001B-1");
      return new Map(Object.entries(rows));
    },
  });

it("hands pg_dump the certificates of the URL, and leaves nothing of a dump that failed", async () => {
  const directory = toolFolder({
    pg_dump: 'echo "$PGSSLMODE $PGSSLROOTCERT $PGSSLCERT $PGSSLKEY" >&2; exit 1',
  });
  const certificates = "?sslmode=verify-full&sslrootcert=ca.crt&sslcert=client.crt&sslkey=client.key";
  await expect(dumpInto(directory, {}, certificates)).rejects.toThrow("verify-full ca.crt client.crt client.key");
  expect(readdirSync(directory)).toEqual(["pg_dump"]);
});

it("puts a dump in place that has the rows of its snapshot, and leaves nothing of one that has not", async () => {
  const directory = toolFolder({
    pg_dump: 'echo dump > "$(echo "$@" | grep -o "/[^ ]*part")"',
    pg_restore: 'cat "$(dirname "$0")/script"; test -s "$(dirname "$0")/script" || { echo "end of file" >&2; exit 1; }',
  });
  const script = join(directory, "script");
  const file = "reeve.dump";
  writeFileSync(script, SCRIPT);
  const rows = { events: 3, 'odd "name': 0, users: 1 };
  const whole = (more: object) => dumpInto(directory, { ...rows, ...more });
  await expect(whole({ users: 2 })).rejects.toThrow("it has 1 rows of users, and the database has 2");
  await expect(whole({ grants: 1 })).rejects.toThrow("it has no rows of grants, and the database has 1");
  await expect(dumpInto(directory, {})).rejects.toThrow("it has 3 rows of events, and the database has no");
  writeFileSync(script, "");
  await expect(whole({})).rejects.toThrow(`${file} is damaged or cut off: end of file`);
  expect(readdirSync(directory)).not.toContain(file);
  writeFileSync(script, SCRIPT);
  expect(Object.fromEntries(await whole({}))).toEqual(rows);
  expect(readdirSync(directory).sort()).toEqual(["pg_dump", "pg_restore", file, "script"]);
});
