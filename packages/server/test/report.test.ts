import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM } from "@reeve/testkit/browser";
import { createDatabase, freePort } from "@reeve/testkit/postgres";
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { runCommand } from "./run-command.js";
import { ServerProcess } from "./server-process.js";

/** The canonical form of RFC 8785, by nothing of Reeve. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(",")}}`;
}
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const account = { username: "ada@acme.example", password: "violet tram at noon" };

it("tells that a report may be filed when its answer breaks off", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-length": "1000" }).write("{");
    setTimeout(() => response.destroy(), 50);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const directory = mkdtempSync(join(tmpdir(), "reeve-report-"));
  onTestFinished(() => {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const REEVE_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const done = ServerProcess.run("report", directory, { REEVE_BASE_URL, REEVE_TOKEN: "token" });
  expect(await done.ended).toBe(1);
  expect(done.errors).toMatch(
    /^reeve: http\S+ gave no answer: .*; the report may be filed: see the activity stream\n$/,
  );
});

const STORES = ["sqlite", "postgres"] as const;

describe.each(STORES)("reeve report of a server on %s", (kind) => {
  let directory: string;
  let settings: Record<string, string>;
  const run = async (more: Record<string, string> = {}, ...args: string[]) => {
    const { code, errors, output } = await runCommand(["report", ...args], directory, { ...settings, ...more });
    return { code, errors, files: output.trim().split("\n").filter(Boolean) };
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "reeve-report-"));
    const PORT = String(await freePort());
    const REEVE_BASE_URL = `http://127.0.0.1:${PORT}`;
    const database = kind === "postgres" ? await createDatabase(inject("postgresUrl")) : undefined;
    const store: Record<string, string> = database ? { REEVE_STORE: database.url } : {};
    const keys = { REEVE_MASTER_KEY: randomBytes(32).toString("base64"), PORT, ...store };
    const server = await ServerProcess.spawn(directory, keys).ready();
    const post = async (path: string, body: object) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${REEVE_BASE_URL}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return (await response.json()) as { token: string };
    };
    await post("/api/v1/register", { organization: "Acme", ...account });
    const { token } = await post("/api/v1/auth/signin", account);
    settings = { REEVE_BASE_URL, REEVE_TOKEN: token };
    return async () => {
      await server.stop("SIGTERM");
      await database?.drop();
      rmSync(directory, { recursive: true, force: true });
    };
  });

  it("files one report as a page and as JSON, which nobody else can read", async () => {
    const { code, files, errors } = await run({}, "--out", "filed/here");
    expect([code, errors]).toEqual([0, ""]);
    const [page = "", json = ""] = files;
    expect(page).toMatch(/filed\/here\/compliance-report-\d{8}T\d{6}Z\.html$/);
    const report = JSON.parse(readFileSync(json, "utf8"));
    expect(report).toMatchObject({ format: "reeve-compliance-report/3", overall: { score: null, coverage: 0 } });
    expect(readFileSync(page, "utf8")).toContain(report.inputsDigest);
    expect(files.map((file) => statSync(file).mode & 0o077)).toEqual([0, 0]);
  });

  it("G-M2 files the digest of the report in the chain of events, once, and a draft files nothing", async () => {
    const filed = async () => {
      const headers = { authorization: `Bearer ${settings.REEVE_TOKEN}` };
      const answer = await fetch(`${settings.REEVE_BASE_URL}/api/v1/ai/activity?size=100`, { headers });
      const { items } = (await answer.json()) as { items: { type: string; subject: string; data: object }[] };
      return items.filter(({ type }) => type.includes("compliance.report.filed"));
    };
    const before = (await filed()).length;
    const { files } = await run({}, "--out", "digest");
    const { reportId, digest, ...rest } = JSON.parse(readFileSync(files[1] as string, "utf8"));
    const events = await filed();
    expect(events).toHaveLength(before + 1);
    expect(events[0]).toMatchObject({ data: { digest, inputsDigest: rest.inputsDigest, asOf: rest.asOf } });
    expect(sha256(canonical({ reportId, ...rest }))).toBe(digest);
    const page = readFileSync(files[0] as string, "utf8");
    for (const reported of [digest, reportId]) expect(page).toContain(reported);
    const draft = await run({}, "--draft", "--out", "draft");
    expect([draft.code, draft.errors]).toEqual([0, ""]);
    expect(JSON.parse(readFileSync(draft.files[1] as string, "utf8")).reportId).toBeNull();
    expect(await filed()).toHaveLength(before + 1);
  });

  it.skipIf(!CHROMIUM.path)(`prints the page as PDF with Chromium${CHROMIUM.note}`, async () => {
    const { code, files, errors } = await run({}, "--draft", "--pdf", "--out", "printed");
    expect([code, errors]).toEqual([0, ""]);
    const pdf = files[2] as string;
    expect(pdf).toMatch(/printed\/compliance-report-\d{8}T\d{6}Z\.pdf$/);
    expect(readFileSync(pdf).subarray(0, 5).toString()).toBe("%PDF-");
    expect(statSync(pdf).mode & 0o077).toBe(0);
  });

  it("writes the page and the JSON where there is no Chromium, and says that there is no PDF", async () => {
    const { code, files, errors } = await run({ PATH: directory }, "--draft", "--pdf", "--out", "unprinted");
    expect([code, files.length]).toEqual([0, 2]);
    expect(errors).toMatch(/^reeve: there is no PDF: none of chromium, .* is installed\n$/);
  });

  it("says what it needs, and what it cannot do, without the token", async () => {
    const refused = [
      await run({ REEVE_TOKEN: "" }),
      await run({}, "--format", "pdf"),
      await run({ REEVE_TOKEN: "a.bent.token" }),
      await run({ REEVE_BASE_URL: "http://127.0.0.1:1" }),
      await run({}, "--out", "/dev/null/reports"),
    ];
    expect(refused.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
    const said = refused.map(({ errors }) => errors);
    expect(said[0]).toContain("REEVE_TOKEN is not set");
    expect(said[1]).toContain("unknown option '--format'");
    expect(said[2]).toContain("answered 401: invalid_token");
    expect(said[3]).toContain("gave no answer");
    expect(said[4]).toContain("cannot be written");
    for (const text of said) {
      expect(text.startsWith("reeve: ")).toBe(true);
      expect(text).not.toContain("bent");
      expect(text).not.toContain(settings.REEVE_TOKEN);
    }
  });
});
