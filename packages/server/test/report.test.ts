import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { ServerProcess } from "./server-process.js";

const account = { username: "ada@acme.example", password: "violet tram at noon" };

describe("reeve report", () => {
  let directory: string;
  let settings: Record<string, string>;
  const run = async (more: Record<string, string> = {}, ...args: string[]) => {
    const done = ServerProcess.run("report", directory, { ...settings, ...more }, args);
    return { code: await done.ended, errors: done.errors, files: done.output.trim().split("\n").filter(Boolean) };
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "reeve-report-"));
    const PORT = String(await freePort());
    const REEVE_BASE_URL = `http://127.0.0.1:${PORT}`;
    const keys = { REEVE_MASTER_KEY: randomBytes(32).toString("base64"), PORT };
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
      rmSync(directory, { recursive: true, force: true });
    };
  });

  it("files one report as a page and as JSON, which nobody else can read", async () => {
    const { code, files, errors } = await run({}, "--out", "filed/here");
    expect([code, errors]).toEqual([0, ""]);
    const [page = "", json = ""] = files;
    expect(page).toMatch(/filed\/here\/compliance-report-\d{8}T\d{6}Z\.html$/);
    const report = JSON.parse(readFileSync(json, "utf8"));
    expect(report).toMatchObject({ format: "reeve-compliance-report/2", overall: { score: null, coverage: 0 } });
    expect(readFileSync(page, "utf8")).toContain(report.inputsDigest);
    expect(files.map((file) => statSync(file).mode & 0o077)).toEqual([0, 0]);
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
