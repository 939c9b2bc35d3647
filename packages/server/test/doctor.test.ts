import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, freePort } from "@reeve/testkit/postgres";
import { expect, inject, it, onTestFinished } from "vitest";
import { backlogFinding } from "../src/service/backlog.js";
import { clockFinding } from "../src/service/clock.js";
import { ServerProcess } from "./server-process.js";

interface Reported {
  readonly check: string;
  readonly outcome: string;
  readonly detail: string;
}

async function doctor(settings: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), "reeve-doctor-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const running = ServerProcess.run("doctor", directory, settings, ["--json"], "");
  const code = await running.ended;
  const { findings } = JSON.parse(running.output) as { findings: Reported[] };
  return { code, reported: (check: string) => findings.find((finding) => finding.check === check) };
}

it.each([
  ["the time of this machine", 5_000, "ok", "the database has the time of this machine"],
  ["a little less", 4_100, "ok", "the database is 0.9 s behind this machine"],
  [
    "some seconds more",
    8_010,
    "warning",
    "the database is 3.0 s ahead of this machine; synchronise both machines by NTP",
  ],
  ["a minute less", -55_000, "fault", "the database is 60.0 s behind this machine; synchronise both machines by NTP"],
])("judges a database that has %s", (_what, database, outcome, detail) => {
  expect(clockFinding({ before: 5_000, database, after: 5_010 })).toEqual({ outcome, detail });
});

it("does not count the time of the answer against the database", () => {
  expect(clockFinding({ before: 0, database: 40_000, after: 90_000 }).outcome).toBe("ok");
});

it("warns of events that wait for longer than an alarm takes", () => {
  const oldestAt = "2026-11-30T09:00:00.000Z";
  const waiting = [{ target: "webhooks", events: 3, oldestAt }];
  const now = Date.parse(oldestAt) + 30 * 60_000;
  expect(backlogFinding([], 30, now)).toEqual({ outcome: "ok", detail: "every event is sent" });
  expect(backlogFinding(waiting, 31, now)).toEqual({
    outcome: "ok",
    detail: "events wait for webhooks: 3 since 2026-11-30T09:00:00.000Z",
  });
  expect(backlogFinding(waiting, 30, now).outcome).toBe("warning");
});

it("looks at what waits to be sent in the store", async () => {
  const directory = mkdtempSync(join(tmpdir(), "reeve-doctor-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const settings = { PORT: String(await freePort()), REEVE_AUDIT_FILE: join(directory, "none", "audit.jsonl") };
  const server = await ServerProcess.spawn(directory, settings).ready();
  onTestFinished(() => void server.child.kill("SIGKILL"));
  const body = { organization: "Acme", username: "ada@acme.example", password: "a long walk in the hills" };
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  expect((await fetch(`http://127.0.0.1:${settings.PORT}/api/v1/register`, init)).status).toBe(201);
  await server.stop("SIGTERM");
  const running = ServerProcess.run("doctor", directory, settings, ["--json"], "");
  await running.ended;
  const { findings } = JSON.parse(running.output) as { findings: Reported[] };
  expect(findings.find(({ check }) => check === "deliveries")).toMatchObject({
    outcome: "ok",
    detail: expect.stringMatching(/^events wait for json-lines .*: \d+ since 20/),
  });
});

it("compares the clock of PostgreSQL with that of this machine", async () => {
  const database = await createDatabase(inject("postgresUrl"));
  onTestFinished(() => database.drop());
  const setting = { REEVE_STORE: database.url };
  const empty = (await doctor(setting)).reported("clock");
  expect([empty?.outcome, empty?.detail]).toEqual(["warning", expect.stringMatching(/^not compared: /)]);
  const directory = mkdtempSync(join(tmpdir(), "reeve-doctor-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  expect(await ServerProcess.run("migrate", directory, setting, [], "").ended).toBe(0);
  expect((await doctor(setting)).reported("clock")).toMatchObject({
    outcome: "ok",
    detail: "the database has the time of this machine",
  });
});

it("asks each allowed target, and names those that do not resolve or answer", async () => {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const open = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const good = await doctor({ REEVE_EGRESS_ALLOW: `${open}, localhost, 10.0.0.0/8, [::1]` });
  expect(good.reported("outgoing calls")).toMatchObject({
    outcome: "ok",
    detail: `public https, ${open}, localhost, 10.0.0.0/8, [::1]`,
  });
  const closed = `127.0.0.1:${await freePort()}`;
  const bad = await doctor({ REEVE_EGRESS_ALLOW: `${open}, ${closed}, nobody.invalid` });
  expect(bad.reported("outgoing calls")?.outcome).toBe("warning");
  expect(bad.reported("outgoing calls")?.detail).toMatch(
    new RegExp(
      `^${closed} does not answer \\(ECONNREFUSED\\); nobody.invalid does not resolve \\(E[A-Z_]+\\); correct `,
    ),
  );
  expect([bad.reported("store")?.outcome, bad.code]).toEqual(["fault", 2]);
});
