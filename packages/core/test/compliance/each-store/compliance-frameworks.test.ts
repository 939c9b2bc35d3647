import { frameworkBody, newAssessment, newFramework, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { FOUNDATION } from "#families/governance/packs/install/foundation.js";
import { builtinFrameworks, FrameworkFields, FrameworkKey } from "#frameworks/index.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai/compliance/frameworks";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const ask = (method: string, path: string, body?: object, who = world.a.owner) =>
  world.send(method, path, { token: who.token, ...(body ? { body } : {}) });
const upload = (key: string, body: object, who = world.a.owner) => ask("PUT", `${PATH}/${key}`, body, who);
const newKey = () => world.a.unique().toLowerCase();
const control = (id: string, more: object = {}) => ({ id, title: id, kind: "manual", ...more });
const withControls = (...controls: object[]) => ({ ...frameworkBody(world.a), controls });

const builtin = await builtinFrameworks();
const [nist, euAct, iso, owasp] = builtin;
const counts: Readonly<Record<string, number>> = {
  "nist-ai-rmf-1.0": 72,
  "eu-ai-act-2024-1689": 155,
  "iso-42001-2023": 70,
  "owasp-agentic-2026": 10,
};

describe.each(builtin.map((framework) => [framework.key, framework] as const))("%s", (key, framework) => {
  const { key: _, version: __, ...fields } = framework;

  it("has the shape that is asked of uploads, all its controls once, and says where they are from", async () => {
    expect(FrameworkFields.parse(fields)).toEqual(fields);
    expect(FrameworkKey.parse(key)).toBe(key);
    const ids = fields.controls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(counts[key]);
    expect(ids).toHaveLength(counts[key] as number);
    expect(fields.controls.filter(({ sourceRef, reviewedAt }) => sourceRef === "" || reviewedAt === null)).toEqual([]);
    expect([fields.source, fields.checkedOn, fields.sourceUrl].includes("")).toBe(false);
    // They also satisfy the rules for uploads.
    expect((await upload(newKey(), fields)).status).toBe(200);
  });

  it("wants evidence of people wherever they judge, and rules wherever those judge", () => {
    const unfit = fields.controls.filter(
      ({ kind, evidence, policyRules }) =>
        (kind !== "automated") !== evidence.length > 0 || (kind !== "manual") !== policyRules.length > 0,
    );
    expect(unfit).toEqual([]);
  });

  it("names exactly the policies of the pack that name it", () => {
    const named = fields.controls.flatMap(({ id, policyRules }) =>
      policyRules.map((policy) => `${policy} ${key}:${id}`),
    );
    const naming = FOUNDATION.policies.flatMap((policy) =>
      policy.rules.flatMap(({ controls }) => controls.map((each) => `${policy.key} ${each}`)),
    );
    expect(named.sort()).toEqual(naming.filter((line) => line.includes(` ${key}:`)).sort());
  });
});

describe("the frameworks that come with this service", () => {
  it("have every control that the pack names", () => {
    const known = new Set(builtin.flatMap(({ key, controls }) => controls.map(({ id }) => `${key}:${id}`)));
    const named = FOUNDATION.policies.flatMap(({ rules }) => rules.flatMap(({ controls }) => controls));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((each) => !known.has(each))).toEqual([]);
  });

  it("have the subcategories of each function, and the controls of each part", () => {
    const parts = (framework: typeof nist, part: RegExp) => {
      const numbers = new Map<string, number>();
      for (const { id } of framework?.controls ?? []) {
        const name = part.exec(id)?.[0];
        if (name === undefined) continue;
        numbers.set(name, (numbers.get(name) ?? 0) + 1);
      }
      return [...numbers].map(([name, number]) => `${name} ${number}`);
    };
    expect(parts(nist, /^\w+/)).toEqual(["GOVERN 19", "MAP 18", "MEASURE 22", "MANAGE 13"]);
    expect(parts(iso, /^A\.\d+/)).toEqual([
      "A.2 3",
      "A.3 2",
      "A.4 5",
      "A.5 4",
      "A.6 9",
      "A.7 5",
      "A.8 4",
      "A.9 3",
      "A.10 3",
    ]);
    expect(owasp?.controls.map(({ id }) => id)).toEqual([..."123456789"].map((n) => `ASI0${n}`).concat("ASI10"));
  });

  it("say of the regulation what its days rest on", () => {
    expect(euAct?.source).toContain("2026/1744");
    expect(euAct?.source).toMatch(/Articles 72 and 73: they stand in Chapter IX, which no exception names/);
    expect(euAct?.controls.find(({ id }) => id === "73(1)")?.sourceRef).toBe(
      "Regulation (EU) 2024/1689, Article 73(1)",
    );
  });

  it("stand in the list before the tenant's own, and in the vocabularies of the interface", async () => {
    const key = await newFramework(world.a);
    const { items, totalItems } = (await ask("GET", `${PATH}?size=100`)).json;
    expect(items).toHaveLength(totalItems);
    expect(items.slice(0, 4)).toMatchObject(
      builtin.map(({ key, controls }) => ({ key, builtin: true, controlCount: controls.length })),
    );
    expect(items.find((each: { key: string }) => each.key === key)).toMatchObject({ builtin: false, version: 1 });
    const { frameworks } = (await ask("GET", "/api/v1/ai-governance/domain/enums")).json;
    expect(frameworks.map((each: { key: string; controls: number }) => [each.key, each.controls])).toEqual(
      Object.entries(counts),
    );
    expect((await ask("GET", `${PATH}/nist-ai-rmf-1.0`)).json.controls).toEqual(nist?.controls);
  });

  it("are not to be changed or deleted", async () => {
    for (const answer of [
      await upload("nist-ai-rmf-1.0", frameworkBody(world.a)),
      await ask("DELETE", `${PATH}/nist-ai-rmf-1.0`),
    ])
      expect(answer).toMatchObject({ status: 409, json: { code: "in_use" } });
  });
});

const FAULTS = [
  ["an unknown property", [control("C 1", { severity: "high" })], "/controls/0/severity"],
  ["an unknown kind", [control("C 1", { kind: "magic" })], "/controls/0/kind"],
  ["an id with a colon", [control("C:1")], "/controls/0/id"],
  ["the same id twice", [control("C 1"), control("C 1")], "/controls/1/id"],
  ["a parent that is not there", [control("C 1", { parent: "C 9" })], "/controls/0/parent"],
  [
    "controls that are part of one another",
    [control("C 1", { parent: "C 2" }), control("C 2", { parent: "C 1" })],
    "/controls/0/parent",
  ],
  ["a rule that is no name", [control("C 1", { policyRules: ["a/b/c"] })], "/controls/0/policyRules/0"],
  ["a day that is none", [control("C 1", { appliesFrom: "2026-02-30" })], "/controls/0/appliesFrom"],
  ["an expression that does not parse", [control("C 1", { applicability: "estate." })], "/controls/0/applicability"],
  ["an unknown name", [control("C 1", { applicability: "estate.riskTier.hihg > 0" })], "/controls/0/applicability"],
  ["an expression over assets", [control("C 1", { applicability: "asset.name != ''" })], "/controls/0/applicability"],
  [
    "an expression that is no condition",
    [control("C 1", { applicability: "estate.total" })],
    "/controls/0/applicability",
  ],
  ["a regular expression", [control("C 1", { applicability: "'a'.matches('(a+)+$')" })], "/controls/0/applicability"],
  [
    "no evidence at all of a type",
    [control("C 1", { evidence: [{ type: "document", minCount: 0 }] })],
    "/controls/0/evidence/0/minCount",
  ],
  ["no controls", [], "/controls"],
  ["more than 500 controls", Array.from({ length: 501 }, (_, index) => control(`C ${index}`)), "/controls"],
] as const;

describe("a framework of the tenant's own", () => {
  it.each(FAULTS)("with %s is refused with its place", async (_what, controls, pointer) => {
    const answer = await upload(newKey(), withControls(...controls));
    expect(answer).toMatchObject({ status: 400, json: { code: "invalid_request" } });
    expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  it("may have 500 controls, and is replaced as a whole with its version and digest", async () => {
    const key = newKey();
    const many = Array.from({ length: 500 }, (_, index) => control(`C ${index}`));
    const first = (await upload(key, withControls(...many))).json;
    expect(first).toMatchObject({ version: 1, controlCount: 500, builtin: false });
    const second = (await upload(key, withControls(control("C 1"), control("C 2", { parent: "C 1" })))).json;
    expect(second).toMatchObject({ version: 2, controlCount: 2 });
    expect(second.digest).not.toBe(first.digest);
    expect((await ask("GET", `${PATH}/${key}`)).json).toEqual(second);
  });

  it("has a key that is one", async () => {
    for (const key of ["A", "x", "no_key", "-a", `${"k".repeat(65)}`]) {
      const answer = await upload(key, frameworkBody(world.a));
      expect([400, 404], key).toContain(answer.status);
    }
  });

  it("keeps the controls that records refer to, and is deleted only when none does", async () => {
    const key = newKey();
    await upload(key, withControls(control("C 1"), control("C 2")));
    const id = await newAssessment(world.a, { assetId: null, framework: key, controlId: "C 1" });
    expect(await upload(key, withControls(control("C 2")))).toMatchObject({
      status: 409,
      json: { code: "in_use", detail: expect.stringContaining("C 1") },
    });
    expect((await ask("DELETE", `${PATH}/${key}`)).status).toBe(409);
    await ask("DELETE", `/api/v1/ai/compliance/${id}`);
    expect((await ask("DELETE", `${PATH}/${key}`)).status).toBe(204);
    expect((await ask("GET", `${PATH}/${key}`)).status).toBe(404);
    expect((await ask("DELETE", `${PATH}/${key}`)).status).toBe(404);
  });

  it("is the tenant's alone: another has none of that key, or one of its own", async () => {
    const { a, b } = world;
    const key = newKey();
    await upload(key, withControls(control("of a")));
    const foreign = [
      await ask("GET", `${PATH}/${key}`, undefined, b.owner),
      await ask("DELETE", `${PATH}/${key}`, undefined, b.owner),
    ];
    expect(foreign.map(({ status }) => status)).toEqual([404, 404]);
    expect((await ask("GET", `${PATH}?size=100`, undefined, b.owner)).text).not.toContain(key);
    const body = { framework: key, controlId: "of a", assetId: null };
    expect(await ask("POST", "/api/v1/ai/compliance", body, b.owner)).toMatchObject({
      status: 400,
      json: { code: "invalid_reference" },
    });
    expect((await upload(key, withControls(control("of b")), b.owner)).json.version).toBe(1);
    expect((await ask("GET", `${PATH}/${key}`, undefined, a.owner)).json.controls[0].id).toBe("of a");
  });

  it("is not overwritten by somebody who has not seen its last version", async () => {
    const key = newKey();
    const first = await upload(key, frameworkBody(world.a));
    expect(first.headers.etag).toBe('"1"');
    const send = (ifMatch: string) =>
      world.send("PUT", `${PATH}/${key}`, {
        token: world.a.owner.token,
        body: frameworkBody(world.a),
        headers: { "if-match": ifMatch },
      });
    expect((await send('"2"')).status).toBe(412);
    expect((await send('"1"')).status).toBe(200);
  });
});
