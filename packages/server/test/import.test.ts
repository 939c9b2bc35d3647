import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "./run-command.js";
import { ServerProcess } from "./server-process.js";

const account = { username: "ada@acme.example", password: "violet tram at noon" };
const REEVE_MASTER_KEY = randomBytes(32).toString("base64");

describe("reeve import", () => {
  let directory: string;
  let who: readonly string[];
  const run = async (...args: string[]) => {
    const { code, errors, output } = await runCommand(["import", ...args], directory, { REEVE_MASTER_KEY });
    const refused = output
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { code, said: errors, refused };
  };
  const write = (...lines: readonly (object | string)[]) => {
    const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    writeFileSync(join(directory, "assets.jsonl"), `${texts.join("\n")}\n`);
  };
  const item = (n: number, more = {}) => ({
    name: `n ${n}`,
    assetType: "model",
    externalRef: { id: `ext-${n}` },
    ...more,
  });

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "reeve-import-"));
    const PORT = String(await freePort());
    const server = await ServerProcess.spawn(directory, { REEVE_MASTER_KEY, PORT }).ready();
    const response = await fetch(`http://127.0.0.1:${PORT}/api/v1/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ organization: "Acme", ...account }),
    });
    const { tenantId, userId } = (await response.json()) as { tenantId: string; userId: string };
    who = ["--tenant", tenantId, "--user", userId];
    expect(await server.stop("SIGTERM")).toBe(0);
    return () => rmSync(directory, { recursive: true, force: true });
  });

  it("imports what is sound, names the lines that are not, and does it again", async () => {
    write(item(1), "{ torn", item(2, { riskTier: "none" }), item(3));
    const first = await run("assets.jsonl", ...who);
    expect(first.said).toContain("Done: 4 items: 2 created, 0 updated, 0 unchanged, 2 failed");
    expect(first.code).toBe(2);
    expect(first.refused).toMatchObject([
      { line: 2, code: "invalid_request" },
      { line: 3, errors: [{ pointer: "/riskTier" }] },
    ]);
    write(item(1), item(2), item(3, { name: "another" }));
    const again = await run("assets.jsonl", ...who);
    expect(again.said).toContain("Done: 3 items: 1 created, 1 updated, 1 unchanged, 0 failed");
    expect([again.code, again.refused]).toEqual([0, []]);
  });

  it("reads files as other systems write them, and names lines by their number in the file", async () => {
    const odd = [
      `\ufeff${JSON.stringify(item(21))}`,
      "",
      JSON.stringify(item(22, { description: "a\u2028b" })),
      "  ",
      JSON.stringify(item(23, { riskTier: "none" })),
      JSON.stringify(item(24, { record: { hosting: "moon" } })),
      Buffer.concat([Buffer.from('{"name":"M'), Buffer.from([0xfc]), Buffer.from('ller"}')]),
      "[]",
      JSON.stringify(item(25)),
    ].map((line) => Buffer.from(line));
    const text = Buffer.concat(odd.flatMap((line, at) => (at === 0 ? [line] : [Buffer.from("\r\n"), line])));
    writeFileSync(join(directory, "assets.jsonl"), text);
    const { code, said, refused } = await run("assets.jsonl", ...who);
    expect(said).toContain("Done: 7 items: 3 created, 0 updated, 0 unchanged, 4 failed");
    expect(code).toBe(2);
    expect(refused).toMatchObject([
      { line: 5, errors: [{ pointer: "/riskTier" }] },
      { line: 6, errors: [{ pointer: "/record/hosting" }] },
      { line: 7, code: "invalid_request" },
      { line: 8, code: "invalid_request" },
    ]);
  });

  it("goes on to the end when nobody reads what it prints", async () => {
    write("{ torn", item(7), "{ torn", item(8));
    const imported = ServerProcess.run("import", directory, { REEVE_MASTER_KEY }, ["assets.jsonl", ...who]);
    imported.child.stdout?.destroy();
    expect(await imported.ended).toBe(2);
    expect(imported.errors).toContain("Done: 4 items: 2 created, 0 updated, 0 unchanged, 2 failed");
  });

  it("says what it needs, and what it cannot do", async () => {
    expect(await run("assets.jsonl")).toMatchObject({ code: 1, said: expect.stringContaining("--tenant <id>") });
    expect(await run("nowhere.jsonl", ...who)).toMatchObject({ code: 1, said: expect.stringContaining("no file") });
    expect(await run(".", ...who)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/reeve: \. cannot be read: EISDIR$/m),
    });
    const stranger = ["--tenant", "ten_0", "--user", "usr_0"];
    expect((await run("assets.jsonl", ...stranger)).code).toBe(1);
  });
});
