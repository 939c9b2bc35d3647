import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type ImportBench, importBench } from "./import-bench.js";
import { ServerProcess } from "./server-process.js";

const item = (n: number, more = {}) => ({
  name: `n ${n}`,
  assetType: "model",
  externalRef: { id: `ext-${n}` },
  ...more,
});

describe("reeve import of JSON lines", () => {
  let bench: ImportBench;
  const who = () => ["--tenant", bench.tenantId, "--user", bench.userId];

  beforeAll(async () => {
    const [made, remove] = await importBench();
    bench = made;
    return remove;
  });

  it("imports what is sound, tells what is not, and does it again", async () => {
    bench.write("assets.jsonl", item(1), "{ torn", item(2, { riskTier: "none" }), item(3));
    const first = await bench.run("assets.jsonl", ...who());
    expect(first.said).toContain("Done: 4 items: 2 created, 0 updated, 0 unchanged, 2 failed");
    expect(first.said).toContain("  1 × The line is no JSON. (line 2)");
    expect(first.said).toMatch(/ {2}1 × riskTier: .*"minimal".* \(line 3\)/);
    expect([first.code, first.output]).toEqual([2, ""]);
    bench.write("assets.jsonl", item(1), item(2), item(3, { name: "another" }));
    const again = await bench.run("assets.jsonl", ...who());
    expect(again.said).toContain("Done: 3 items: 1 created, 1 updated, 1 unchanged, 0 failed");
    expect(again.code).toBe(0);
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
    writeFileSync(join(bench.directory, "assets.jsonl"), text);
    const { code, report } = await bench.report("assets.jsonl", ...who());
    expect(report).toMatchObject({ done: 7, created: 3, failed: 4, unit: "line", format: "jsonl" });
    expect(code).toBe(2);
    expect(report.failures).toMatchObject([
      { places: [5], pointer: "/riskTier" },
      { places: [6], pointer: "/record/hosting" },
      { places: [7], message: "The line is not UTF-8." },
      { places: [8], message: "An item is a JSON object." },
    ]);
  });

  it("goes on to the end when nobody reads what it prints", async () => {
    bench.write("assets.jsonl", "{ torn", item(7), "{ torn", item(8));
    const args = ["assets.jsonl", ...who(), "--json"];
    const imported = ServerProcess.run("import", bench.directory, bench.settings, args);
    imported.child.stdout?.destroy();
    expect(await imported.ended).toBe(2);
    bench.write("assets.jsonl", item(7), item(8));
    expect((await bench.report("assets.jsonl", ...who())).report).toMatchObject({ unchanged: 2 });
  });

  it("groups what is refused alike, with a count and the first lines", async () => {
    const lines = Array.from({ length: 40 }, (_, n) => item(100 + n, { riskTier: "none", owner: "ada" }));
    bench.write("assets.jsonl", ...lines);
    const { said } = await bench.run("assets.jsonl", ...who());
    expect(said).toMatch(/ {2}40 × riskTier: .* \(lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …\)/);
    expect(said).toMatch(/ {2}40 × owner: .*; `owner` wants \{type, id, name\} \(lines 1,/);
  });

  it("says what it needs, and what it cannot do", async () => {
    const fails = async (args: readonly string[], said: RegExp) =>
      expect(await bench.run(...args)).toMatchObject({ code: 1, said: expect.stringMatching(said) });
    await fails(["assets.jsonl", "--tenant", "acme"], /--user <user>/);
    await fails(["nowhere.jsonl"], /there is no file nowhere.jsonl/);
    await fails(["."], /reeve: \. cannot be read: EISDIR$/m);
    await fails(["assets.jsonl", "--tenant", "tnt_0", "--user", "usr_0"], /no tenant "tnt_0".*subdomain or a name/);
    await fails(["assets.jsonl", "--tenant", "acme", "--user", "bob@acme.example"], /no active user bob@acme/);
    await fails(["assets.jsonl", "--format", "xml"], /csv, json, jsonl/);
  });

  it("finds the tenant by its name too", async () => {
    bench.write("assets.jsonl", item(1));
    expect((await bench.run("assets.jsonl", "--tenant", "acme insurance", "--user", "ADA@acme.example")).code).toBe(0);
  });
});
