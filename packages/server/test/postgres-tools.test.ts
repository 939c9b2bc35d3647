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

it("hands pg_dump the certificates of the URL, and leaves nothing of a dump that failed", async () => {
  const directory = mkdtempSync(join(tmpdir(), "reeve-tools-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const tool = join(directory, "pg_dump");
  writeFileSync(tool, '#!/bin/sh\necho "$PGSSLMODE $PGSSLROOTCERT $PGSSLCERT $PGSSLKEY" >&2; exit 1\n');
  chmodSync(tool, 0o700);
  vi.stubEnv("PATH", `${directory}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const certificates = "sslmode=verify-full&sslrootcert=ca.crt&sslcert=client.crt&sslkey=client.key";
  const dumping = dumpPostgres(join(directory, "reeve.dump"), {
    url: `postgres://app@127.0.0.1/app?${certificates}`,
    atOneMoment: async (dump) => {
      await dump("00000003-0000001B-1");
      return new Map();
    },
  });
  await expect(dumping).rejects.toThrow("verify-full ca.crt client.crt client.key");
  expect(readdirSync(directory)).toEqual(["pg_dump"]);
});
