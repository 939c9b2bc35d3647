import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createControlPlane, type Principal } from "@reeve/core";
import { createSqliteStore } from "@reeve/store-sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { type ImportBench, importBench } from "./import-bench.js";

const FIXTURES = join(import.meta.dirname, "fixtures/import");

describe("reeve import of what a company has", () => {
  let bench: ImportBench;

  beforeAll(async () => {
    const [made, remove] = await importBench();
    bench = made;
    for (const name of ["servicenow.csv", "mlflow.json", "spreadsheet.csv"])
      copyFileSync(join(FIXTURES, name), join(bench.directory, name));
    return remove;
  });

  /** Assets of a provider as they are stored, by name. */
  async function stored(source: string) {
    const controlPlane = createControlPlane({
      store: await createSqliteStore({ file: join(bench.directory, "data/reeve.sqlite") }),
      masterKey: bench.settings.REEVE_MASTER_KEY,
      baseUrl: "http://127.0.0.1",
    });
    try {
      const admin: Principal = await controlPlane.principalOf(bench.tenantId, bench.userId);
      const { items } = await controlPlane.call("aiAssets.list", admin, { query: { size: 100 } });
      const own = items.filter(({ externalRef }) => externalRef?.source === source);
      return Object.fromEntries(own.map((asset) => [asset.name, asset]));
    } finally {
      await controlPlane.close();
    }
  }

  it("takes a table of ServiceNow, first to try", async () => {
    const args = ["servicenow.csv", "--mapping", "servicenow"];
    const tried = await bench.report(...args, "--dry-run");
    expect(tried.report).toMatchObject({ dryRun: true, created: 3, failed: 0, leftOut: ["location"] });
    expect(await stored("servicenow")).toEqual({});
    expect((await bench.report(...args, "--baseline")).report).toMatchObject({ dryRun: false, created: 3, failed: 0 });
    expect((await bench.report(...args)).report).toMatchObject({ unchanged: 3 });
    const assets = await stored("servicenow");
    expect(assets["Claims triage"]).toMatchObject({
      assetType: "agent",
      environment: "production",
      riskTier: "limited",
      description: "Sorts incoming claims.\r\nHands unclear ones to people.",
      owner: { type: "user", id: bench.userId },
      team: { type: "team", id: "Claims IT" },
      metadata: { operationalStatus: "Operational" },
      baselineAt: expect.any(String),
    });
    expect(assets["Fraud scorer"]).toMatchObject({
      assetType: "model",
      environment: "production",
      owner: { type: "external", id: "Grace Hopper", name: "Grace Hopper" },
    });
    expect(assets["Policy archive"]).toMatchObject({ assetType: "application", environment: "test" });
  });

  it("takes the registered models of MLflow", async () => {
    const { report } = await bench.report("mlflow.json", "--mapping", "mlflow", "--default", "environment=production");
    expect(report).toMatchObject({ created: 2, failed: 0, format: "json", unit: "item", leftOut: [] });
    expect((await stored("mlflow"))["fraud-scorer"]).toMatchObject({
      assetType: "model",
      environment: "production",
      riskTier: "high",
      owner: { id: bench.userId },
      labels: { domain: "payments" },
      metadata: { stage: "Production" },
    });
  });

  it("takes a spreadsheet with semicolons", async () => {
    const { report } = await bench.report("spreadsheet.csv", "--mapping", "spreadsheet");
    expect(report).toMatchObject({ created: 3, failed: 0, leftOut: [] });
    const assets = await stored("spreadsheet");
    expect(assets["Support bot"]).toMatchObject({
      assetType: "agent",
      provider: "OpenAI",
      environment: "production",
      riskTier: "limited",
      dataClassification: "confidential",
      metadata: { remarks: 'says "hello"; twice\r\na day' },
    });
  });

  it("maps by options, and names what it cannot place", async () => {
    bench.write("own.csv", "CI,name,Owner mail,riskTeir", "1,One,ada@acme.example,high", "2,Two,,", "3,Three,a,b,c");
    const map = ["--map", "CI=externalRef.id", "--map", "Owner mail=owner", "--default", "assetType=agent"];
    const { said, code } = await bench.run("own.csv", ...map, "--default", "provider=own");
    expect(said).toContain('Left out: "riskTeir" is no property; did you mean "riskTier"?');
    expect(said).toContain("1 × The row has 5 cells, and the header names 4. (line 4)");
    expect(said).toContain("Done: 3 items: 2 created");
    expect(code).toBe(2);
  });

  it("refuses a mapping that cannot be meant", async () => {
    bench.write("one.csv", "id,name", "1,One");
    const says = async (said: RegExp, ...args: string[]) =>
      expect(await bench.run("one.csv", ...args)).toMatchObject({ code: 1, said: expect.stringMatching(said) });
    await says(/column "id": "externalRef.ID" is no property of an asset; did you mean/, "--map", "id=externalRef.ID");
    await says(/"owner_email" is no property/, "--map", "id=owner_email");
    await says(/`externalRef` is \{source, id, url\}.*"externalRef.id"/, "--map", "id=externalRef");
    await says(/did you mean "record.framework"/, "--map", "id=framework");
    await says(/"metadata.__proto__.x" is no property/, "--map", "id=metadata.__proto__.x");
    await says(/--map names the column "ID"; the file has id, name/, "--map", "ID=externalRef.id");
    await says(/no column is `externalRef.id`, by which.*; the file has id, name/, "--mapping", "servicenow");
    await says(/there is no file nowhere.json/, "--mapping", "nowhere.json");
    await says(/--map "id" wants column=property/, "--map", "id");
    bench.write("bad.json", { colums: {} });
    await says(/bad.json: mapping: .*colums/, "--mapping", "bad.json");
  });

  it("reads hostile tables without harm", async () => {
    bench.write("twice.csv", "name,id,name", "a,b,c");
    expect((await bench.run("twice.csv")).said).toContain('columns 1 and 3 are both named "name"');
    bench.write("open.csv", "externalRef.id,name", '1,"One', "2,Two");
    expect((await bench.run("open.csv")).said).toMatch(/open.csv, line \d: a quotation mark is not closed/);
    bench.write("proto.csv", "externalRef.id,name,__proto__,constructor,", "9,Nine,x,y,z");
    const { report } = await bench.report("proto.csv");
    expect(report).toMatchObject({ created: 1, leftOut: ["__proto__", "constructor"] });
    bench.write("proto.json", `[{"name":"P","externalRef":{"id":"p"},"__proto__":{"polluted":true}}]`);
    await bench.run("proto.json");
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    writeFileSync(join(bench.directory, "latin.csv"), Buffer.from("name,externalRef.id\nM\xfcller,1\n", "latin1"));
    expect((await bench.run("latin.csv")).said).toContain("latin.csv is not UTF-8");
    writeFileSync(
      join(bench.directory, "wide.csv"),
      Buffer.from("\ufeffname\texternalRef.id\r\nMüller\tutf16\r\n", "utf16le"),
    );
    expect((await bench.report("wide.csv")).report).toMatchObject({ created: 1 });
  });

  it("reads a JSON list however it begins, and says where one ends early", async () => {
    const items = [1, 2].map((n) => ({ name: `J${n}`, assetType: "model", externalRef: { id: `j-${n}` } }));
    bench.write("list", `\n ${JSON.stringify(items)}`);
    expect((await bench.report("list")).report).toMatchObject({ created: 2, format: "json" });
    bench.write("lines.json", ...items);
    expect((await bench.report("lines.json")).report).toMatchObject({ unchanged: 2, format: "jsonl" });
    bench.write("member.json", JSON.stringify({ total: 2, assets: [...items, 7] }, null, 2));
    expect((await bench.report("member.json")).report).toMatchObject({ unchanged: 2, failed: 1, format: "json" });
    bench.write("torn.json", JSON.stringify(items).slice(0, -1));
    expect((await bench.run("torn.json")).said).toContain("torn.json is no whole JSON: it ends after item 2");
  });
});
