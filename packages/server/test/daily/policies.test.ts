import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Estate, startEstate } from "./estate.js";

const OWNER = `# Who answers for an asset.
name: Every asset has an owner
key: has-owner
severity: high
status: active
rules:
  - key: owner
    assert: |
      asset.hasOwner
    message: "{asset.name} has no owner."
tests:
  - name: owned
    input: { asset: { hasOwner: true } }
    expect: pass
  - name: nobody
    input: { asset: { name: x, hasOwner: false } }
    expect: fail
`;

const payments = (most: number) => ({
  ...{ name: "Payments need approval", key: "payments", kind: "runtime", status: "active" },
  rules: [
    { key: "large", effect: "require_approval", if: `action.name == 'pay' && params.most < ${most}`, message: "Ask." },
  ],
  params: { most: 3 },
  tests: [
    { name: "pay", input: { action: { name: "pay" } }, expect: "require_approval" },
    { name: "read", input: { action: { name: "read" } }, expect: "none" },
    { name: "nameless", input: { action: { name: "" } }, expect: "none" },
  ],
});

let estate: Estate;
beforeAll(async () => {
  estate = await startEstate();
  mkdirSync(join(estate.directory, "policies/more"), { recursive: true });
  write("has-owner.yaml", OWNER);
  write("more/payments.json", JSON.stringify(payments(5)));
  write("more/README.md", "no policy");
});
afterAll(() => estate?.stop());

const write = (name: string, text: string) => writeFileSync(join(estate.directory, "policies", name), text);
const policy = (who: "ada" | "grace" | "vic" | "olga", verb: string, ...args: string[]) =>
  estate.as(who, "policy", verb, ...(args.length > 0 ? args : ["policies"]));
const outcomes = async (who: "ada" | "grace") =>
  (await estate.json(who, "policy", "apply", "policies")).items.map(({ key, outcome, why }) =>
    // The reasons of a refusal, which none of them expects.
    outcome === "refused" ? [key, outcome, why] : [key, outcome],
  );

describe("policies in files", () => {
  it("are tested without being stored", async () => {
    const { code, output, errors } = await policy("vic", "test");
    expect([code, errors]).toEqual([0, expect.stringContaining("2 policies, 5 tests: all pass")]);
    expect(output).toContain("ok      has-owner  2 tests  policies/has-owner.yaml");
    expect((await policy("vic", "diff")).code).toBe(2);
  });

  it("fail with each test and fault, and exit code 2", async () => {
    write("bad.yaml", OWNER.replace("has-owner", "bad").replace("expect: pass", "expect: fail"));
    write("worse.yaml", "key: worse\nrules:\n  - { key: a, assert: asset.ownr, message: m }\n");
    const { code, output } = await policy("vic", "test", "policies/bad.yaml", "policies/worse.yaml");
    expect(code).toBe(2);
    expect(output).toContain('test "owned" expects fail and gets pass (owner pass)');
    expect(output).toMatch(/failed {2}worse[\s\S]*ownr/);
    const applied = await policy("ada", "apply", "policies/bad.yaml");
    expect([applied.code, applied.errors]).toEqual([2, expect.stringContaining("none was applied")]);
    write("bad.yaml", "");
    write("worse.yaml", "");
  });

  it("are refused where they are none", async () => {
    write("torn.yaml", "key: [");
    expect((await policy("ada", "test")).errors).toMatch(/policies\/torn\.yaml: .* line 1/);
    write("torn.yaml", "name: x");
    expect((await policy("ada", "test")).errors).toContain("policies/torn.yaml: a policy needs a `key`");
    write("torn.yaml", OWNER);
    expect((await policy("ada", "test")).errors).toContain('"has-owner" is in policies/has-owner.yaml and in');
    write("torn.yaml", "");
    expect((await policy("ada", "test", "nowhere")).errors).toContain("there is no file nowhere");
  });

  it("are applied once, and put in force by another person where that takes two", async () => {
    expect((await policy("vic", "apply")).code).toBe(2);
    expect(await outcomes("ada")).toEqual([
      ["has-owner", "created"],
      ["payments", "waits"],
    ]);
    expect(await outcomes("ada")).toEqual([
      ["has-owner", "unchanged"],
      ["payments", "waits"],
    ]);
    expect(await outcomes("grace")).toEqual([
      ["has-owner", "unchanged"],
      ["payments", "updated"],
    ]);
    const { code, errors } = await policy("ada", "diff");
    expect([code, errors]).toEqual([0, expect.stringContaining("2 policies are the same")]);
    expect((await policy("olga", "diff")).code).toBe(2);
  });

  it("differ by field, and a change of one in force waits for a second person", async () => {
    write("has-owner.yaml", OWNER.replace("severity: high", "severity: low"));
    write("more/payments.json", JSON.stringify(payments(6)));
    const { code, output } = await policy("ada", "diff");
    expect(code).toBe(2);
    expect(output).toContain('~ has-owner  policies/has-owner.yaml\n    severity\n      - "high"\n      + "low"\n');
    expect(output).toContain("    rules.large.if\n");
    const waits = [
      ["has-owner", "updated"],
      ["payments", "waits"],
    ];
    expect(await outcomes("ada")).toEqual(waits);
    expect(await outcomes("ada")).toEqual([["has-owner", "unchanged"], waits[1]]);
    const [{ id, seen }] = (await estate.json("grace", "reviews", "--mine", "--kind", "policy_change")).items;
    expect(seen).toBeUndefined();
    expect((await estate.as("grace", "approve", id, "--seen", "other")).errors).toContain("it has changed since");
    expect((await estate.as("grace", "approve", id, "--reason", "It is stricter.")).code).toBe(0);
    expect((await policy("ada", "diff")).code).toBe(0);
  });

  it("are pulled into files that say the same, and never over others", async () => {
    expect((await policy("ada", "pull", "pulled")).code).toBe(0);
    const files = readdirSync(join(estate.directory, "pulled"));
    expect(files).toEqual(["has-owner.yaml", "payments.yaml"]);
    expect(readFileSync(join(estate.directory, "pulled/has-owner.yaml"), "utf8")).toContain("assert: asset.hasOwner");
    expect((await policy("ada", "diff", "pulled")).code).toBe(0);
    expect((await policy("ada", "pull", "pulled")).errors).toContain("nothing was written");
  });

  it("are tested by an AI identity, as a pipeline does it", async () => {
    const { data: identity } = await estate.ada.POST("/api/v1/ai/identities", {
      body: { name: "Pipeline", scopes: ["ai-policy:read", "ai-policy:write"] },
    });
    const { data } = await estate.ada.POST("/api/v1/ai/identities/{id}/credentials", {
      params: { path: { id: identity.id } },
    });
    const { clientId, clientSecret = "" } = data;
    const env = { REEVE_CLIENT_ID: clientId, REEVE_CLIENT_SECRET: clientSecret, REEVE_BASE_URL: estate.address };
    const tested = await estate.run(["policy", "test", "policies"], env);
    expect([tested.code, tested.errors]).toEqual([0, expect.stringContaining("all pass")]);
    expect(tested.errors + tested.output).not.toContain(clientSecret);
    write("new.yaml", OWNER.replace("has-owner", "by-pipeline"));
    const { output } = await estate.run(["policy", "apply", "policies/new.yaml", "--json"], env);
    expect(JSON.parse(output)).toMatchObject({ key: "by-pipeline", outcome: "waits" });
  });
});
