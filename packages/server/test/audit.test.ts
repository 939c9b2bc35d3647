import { once } from "node:events";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { type AddressInfo, createServer as createTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTls } from "node:tls";
import type { EventDocument } from "@reeve/core";
import { freePort } from "@reeve/testkit/postgres";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { jsonLines } from "../src/audit/json-lines.js";
import { ocsfRecord } from "../src/audit/ocsf.js";
import { otlpLogs } from "../src/audit/otlp-logs.js";
import { syslog } from "../src/audit/syslog.js";
import { readSettings } from "../src/settings/settings.js";
import { certificate } from "./deliveries/rsyslog.js";
import { ServerProcess } from "./server-process.js";

const TENANT = "ten_01JD3Z6T5W8Y9X7V4R2Q1P0N6M";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "reeve-audit-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const eventOf = (sequence: number, more: object = {}) =>
  ({
    ...{ specversion: "1.0", id: `evt_${sequence}`, type: "reeve.asset.created.v1", time: "2026-11-30T09:00:00.000Z" },
    ...{ subject: "ast_1", subjecttype: "ai_asset", authid: "usr_1", authtype: "user", correlationid: "req_1" },
    ...{ outcome: "success", severitytext: "INFO", severitynumber: 9, sequence: String(sequence).padStart(12, "0") },
    ...{ data: { name: 'a "quoted"] name\nwith a line end' } },
    ...more,
  }) as EventDocument;

const EVENTS = [
  eventOf(1),
  eventOf(2, { type: "reeve.user.sign_in_failed.v1", outcome: "failure", severitytext: "WARN" }),
];

const linesOf = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("lines of JSON", () => {
  it("hold one event each, with its tenant, and go on in a new file when the old one was moved", async () => {
    const file = join(folder(), "audit.jsonl");
    const sink = jsonLines(file, "cloudevents");
    await sink.take(EVENTS, TENANT);
    renameSync(file, `${file}.1`);
    await sink.take([eventOf(3)], TENANT);
    expect(linesOf(`${file}.1`)).toEqual(EVENTS.map((event) => ({ tenant: TENANT, ...event })));
    expect(linesOf(file)).toMatchObject([{ tenant: TENANT, id: "evt_3" }]);
  });

  it("begin behind a line that was torn off, which stays as it is", async () => {
    const file = join(folder(), "audit.jsonl");
    writeFileSync(file, '{"tenant":"ten_');
    const sink = jsonLines(file, "ocsf");
    for (const sequence of [1, 2]) await sink.take([eventOf(sequence)], TENANT);
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => line.slice(0, 9))).toEqual(['{"tenant"', '{"class_u', '{"class_u']);
  });

  it("hold data in the order that its hash is made of", async () => {
    const file = join(folder(), "audit.jsonl");
    await jsonLines(file, "cloudevents").take([eventOf(1, { data: { 9: 1, b: { 20: 2, 100: 3 }, 10: 4 } })], TENANT);
    expect(readFileSync(file, "utf8")).toContain('"data":{"10":4,"9":1,"b":{"100":3,"20":2}}');
  });

  it("are refused where the folder is not there, and nothing is half written", async () => {
    await expect(jsonLines(join(folder(), "none", "audit.jsonl"), "ocsf").take(EVENTS, TENANT)).rejects.toThrow(
      /ENOENT/,
    );
  });
});

describe("records of OCSF", () => {
  it.each([
    ["reeve.user.signed_in.v1", 3002, 300_201],
    ["reeve.user.sign_in_failed.v1", 3002, 300_201],
    ["reeve.session.ended.v1", 3002, 300_202],
    ["reeve.user.created.v1", 3001, 300_101],
    ["reeve.user.deleted.v1", 3001, 300_106],
    ["reeve.finding.opened.v1", 2004, 200_401],
    ["reeve.finding.resolved.v1", 2004, 200_403],
    ["reeve.asset.deleted.v1", 6003, 600_304],
    ["reeve.decision.denied.v1", 6003, 600_399],
  ])("of %s are of class %i and type %i", (type, classUid, typeUid) => {
    const record = ocsfRecord(eventOf(4, { type }) as never, TENANT);
    expect(record).toMatchObject({
      ...{ class_uid: classUid, category_uid: Math.floor(classUid / 1_000), type_uid: typeUid },
      ...{ time: Date.parse("2026-11-30T09:00:00.000Z"), severity_id: 1 },
      metadata: { version: "1.6.0", product: { name: "Reeve" }, tenant_uid: TENANT, sequence: 4, uid: "evt_4" },
      unmapped: { id: "evt_4", type },
    });
  });
});

describe("logs of OTLP", () => {
  it("are posted to a collector, and sent again after an answer that does not take all of them", async () => {
    const taken: { resourceLogs: { scopeLogs: { logRecords: { eventName: string; timeUnixNano: string }[] }[] }[] }[] =
      [];
    const answers = [
      [503, {}],
      [200, { partialSuccess: { rejectedLogRecords: "1" } }],
      [200, {}],
    ] as const;
    const collector = createHttp(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      taken.push(JSON.parse(Buffer.concat(parts).toString()));
      const [status, body] = answers[taken.length - 1] ?? [200, {}];
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await once(collector.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void collector.close());
    const sink = otlpLogs(`http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/logs`);
    await expect(sink.take(EVENTS, TENANT)).rejects.toThrow("the collector answered 503");
    await expect(sink.take(EVENTS, TENANT)).rejects.toThrow("the collector refused 1 records");
    await sink.take(EVENTS, TENANT);
    const records = taken[2]?.resourceLogs[0]?.scopeLogs[0]?.logRecords;
    expect(records?.map(({ eventName }) => eventName)).toEqual(EVENTS.map(({ type }) => type));
    expect(records?.[0]?.timeUnixNano).toBe("1796029200000000000");
  });
});

describe("syslog over TLS", () => {
  it("frames each event by its length, as RFC 5424 writes it, and sends again what was broken off", async () => {
    const at = folder();
    const { key, cert } = certificate(at);
    let [text, isBroken] = ["", true];
    const receiver = createTls({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
      socket.on("error", () => undefined);
      if (isBroken) return void socket.once("data", () => socket.destroy());
      socket.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
    });
    await once(receiver.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void receiver.close());
    const { port } = receiver.address() as AddressInfo;
    const sink = syslog({ host: "localhost", port, ca: cert }, { format: "cloudevents", enterprise: 99_999 });
    const many = Array.from({ length: 5_000 }, (_one, at) => eventOf(at + 1));
    await expect(sink.take(many, TENANT)).rejects.toThrow();
    isBroken = false;
    await sink.take(EVENTS, TENANT);
    const messages = framesOf(text);
    expect(messages).toHaveLength(2);
    expect(messages[0]).toMatch(
      /^<110>1 2026-11-30T09:00:00\.000Z \S+ reeve \d+ reeve\.asset\.created \[reeve@99999 tenant="ten_\w+" id="evt_1" sequence="000000000001"\] \ufeff\{"tenant"/,
    );
    expect(messages[1]).toMatch(/^<108>1 .* reeve\.user\.sign_in_failed /);
    expect(JSON.parse(messages[0]?.split("\ufeff")[1] ?? "")).toMatchObject({ id: "evt_1", tenant: TENANT });
  });

  it("sends again what a receiver has read that ends right after, as one that is killed does", async () => {
    const { key, cert } = certificate(folder());
    const receiver = createTls({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
      socket.on("error", () => undefined).resume();
      socket.once("end", () => {
        receiver.close();
        socket.end();
      });
    });
    await once(receiver.listen(0, "127.0.0.1"), "listening");
    const { port } = receiver.address() as AddressInfo;
    await expect(
      syslog({ host: "localhost", port, ca: cert }, { format: "ocsf", enterprise: 32_473 }).take(EVENTS, TENANT),
    ).rejects.toThrow();
  });

  it("goes to no receiver whose certificate is of another authority, and to none that speaks no TLS", async () => {
    const at = folder();
    const { key, cert } = certificate(at);
    const receiver = createTls({ key: readFileSync(key), cert: readFileSync(cert) });
    const plain = createTcp((socket) => socket.end("no TLS\n").on("error", () => undefined));
    for (const server of [receiver, plain]) await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void [receiver.close(), plain.close()]);
    const to = (server: typeof plain) => ({ host: "localhost", port: (server.address() as AddressInfo).port });
    await expect(syslog(to(receiver), { format: "ocsf", enterprise: 32_473 }).take(EVENTS, TENANT)).rejects.toThrow(
      /self.signed/,
    );
    await expect(syslog(to(plain), { format: "ocsf", enterprise: 32_473 }).take(EVENTS, TENANT)).rejects.toThrow();
  });
});

/** The messages of a stream that is framed by lengths in bytes. */
function framesOf(stream: string): string[] {
  let bytes = Buffer.from(stream);
  const frames: string[] = [];
  for (let space = bytes.indexOf(" "); space > 0; space = bytes.indexOf(" ")) {
    const length = Number(bytes.subarray(0, space).toString());
    frames.push(bytes.subarray(space + 1, space + 1 + length).toString());
    bytes = bytes.subarray(space + 1 + length);
  }
  return frames;
}

it("the standalone server writes its record to the file that is asked for, whole and in order, over a restart", async () => {
  const directory = folder();
  const [port, file] = [await freePort(), join(directory, "audit.jsonl")];
  const settings = { PORT: String(port), REEVE_AUDIT_FILE: file };
  const register = (name: string) =>
    fetch(`http://127.0.0.1:${port}/api/v1/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        organization: name,
        username: `${name}@acme.example`,
        password: "a long walk in the hills",
      }),
    });
  for (const name of ["one", "two"]) {
    const server = ServerProcess.spawn(directory, settings);
    onTestFinished(() => void server.child.kill("SIGKILL"));
    await server.ready();
    expect((await register(name)).status).toBe(201);
    await vi.waitFor(() => expect(readFileSync(file, "utf8")).toContain(`${name}@acme.example`), { timeout: 15_000 });
    expect(await server.stop("SIGTERM")).toBe(0);
  }
  const byTenant = new Map<string, number[]>();
  for (const { tenant, sequence } of linesOf(file))
    byTenant.set(tenant, [...(byTenant.get(tenant) ?? []), Number(sequence)]);
  expect(byTenant.size).toBeGreaterThan(1);
  for (const sequences of byTenant.values()) expect(sequences).toEqual(sequences.map((_one, index) => index + 1));
});

it("settings of the record that cannot be read are faults", () => {
  const faults = (env: Record<string, string>) => (readSettings(env) as { faults?: string[] }).faults?.join();
  expect(faults({ REEVE_AUDIT_SYSLOG: "udp://logs" })).toMatch(/REEVE_AUDIT_SYSLOG must be tls:/);
  expect(faults({ REEVE_AUDIT_OTLP: "collector:4318" })).toMatch(/REEVE_AUDIT_OTLP must be/);
  expect(faults({ REEVE_AUDIT_FORMAT: "xml" })).toMatch(/REEVE_AUDIT_FORMAT must be cloudevents or ocsf/);
  expect(faults({ REEVE_AUDIT_ENTERPRISE: "acme" })).toMatch(
    /REEVE_AUDIT_ENTERPRISE must be a private enterprise number/,
  );
  expect(faults({ REEVE_AUDIT_SYSLOG: "tls://logs.acme.example" })).toBeUndefined();
});
