import { type Actor, askOf, newRule, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { ASSET_TYPES, ENVIRONMENTS } from "#families/estate/index.js";
import { EXEMPTIONS, FINDINGS, findingsOf, REASON } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

const GOVERNANCE = "/api/v1/ai-governance";
const COMPLIANCE = "/api/v1/ai/compliance";
/** The most values tried for one filter. */
const MOST_VALUES = 6;

const CONTROLS = ["nist-ai-rmf-1.0:GOVERN 1.6", "nist-ai-rmf-1.0:GOVERN 1.1"];

interface Item {
  readonly id: string;
  readonly [property: string]: unknown;
}
/** The value of an item that a filter compares, or several of which one must match. */
type Read = (item: Item) => unknown;
const reads = (read: Read, item: Item, value: unknown) => [read(item)].flat().includes(value);

let world: World;
let findingId: string;
const at = () => findingsOf(world);

beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  const here = at();
  const { ask, found, review } = here;
  const policyIds: string[] = [];
  const policyKeys: string[] = [];
  for (const [severity, selector] of [
    ["low", { assetTypes: ["agent", "model"], environments: ["production"] }],
    ["high", { assetTypes: ["agent"] }],
    ["high", {}],
  ] as const) {
    const { rules, ...policy } = world.a.policyBody("posture");
    const controls = severity === "low" ? CONTROLS : CONTROLS.slice(1);
    const body = { ...policy, severity, selector, rules: rules.map((rule) => ({ ...rule, controls })) };
    policyKeys.push(body.key);
    policyIds.push((await ask("POST", `${GOVERNANCE}/policies`, body)).json.id);
  }
  const assetIds = [await world.a.newAsset(), await world.a.newAsset()];
  for (const scope of [{ policyIds: policyIds.slice(0, 1) }, { assetIds: assetIds.slice(0, 1) }, { assetIds }, {}])
    expect((await ask("POST", `${GOVERNANCE}/evaluations/run`, { scope })).status).toBe(201);
  const finding = await found({ severity: "high", controls: CONTROLS }, assetIds[0]);
  findingId = finding.id;
  for (const body of [
    { action: "acknowledge" },
    { action: "comment", comment: "Seen." },
    { action: "override_severity", severity: "low", reason: REASON },
  ])
    expect((await review(findingId, body)).status).toBe(201);
  await here.requested({ scope: { fingerprint: finding.fingerprint } });
  const other = await found(
    { severity: "low", controls: CONTROLS.slice(1), policyId: policyIds[1], policyKey: policyKeys[1] },
    assetIds[1],
  );
  await here.approved({ scope: { policyKey: other.policyKey, assetId: other.assetId }, category: "mitigated" });
  await newRule(world.a, "require_approval");
  for (const who of [world.a.actors.operator, world.a.owner] satisfies Actor[]) {
    world.clock.advance(1_000);
    await world.send("POST", "/api/v1/ai/policies/evaluate", { token: who.token, body: askOf(world.a) });
  }
  const controls = (await ask("GET", `${COMPLIANCE}/frameworks/nist-ai-rmf-1.0`)).json.controls.slice(-3);
  for (const [index, { id: controlId }] of controls.entries()) {
    const assetId = index === 0 ? null : assetIds[index - 1];
    const body = { framework: "nist-ai-rmf-1.0", controlId, assetId, assessor: index === 2 ? "ada" : "grace" };
    expect((await ask("POST", COMPLIANCE, { ...body, nextReviewAt: at().inDays(9 - index) })).status).toBe(201);
  }
});

const page = async (path: string, query = ""): Promise<Item[]> => {
  const answer = await at().ask("GET", `${path}?size=100${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.items;
};
const ids = (items: readonly Item[]) => items.map(({ id }) => id);
const same =
  (property: string): Read =>
  (item) =>
    item[property];
const only =
  (property: "policyIds" | "assetIds"): Read =>
  ({ scope }) => {
    const named = (scope as Record<string, string[]>)[property] ?? [];
    return named.length === 1 ? named[0] : null;
  };

/** The values that a selector names, or all when it names none. */
const selected =
  (property: "assetTypes" | "environments", all: readonly string[]): Read =>
  ({ selector }) => {
    const named = (selector as Record<string, string[]>)[property] ?? [];
    return named.length > 0 ? named : all;
  };

/** Lists, and the value that each filter compares. */
const LISTS: readonly [name: string, path: () => string, filters: Readonly<Record<string, Read>>][] = [
  [
    "policies",
    () => `${GOVERNANCE}/policies`,
    {
      kind: same("kind"),
      status: same("status"),
      severity: same("severity"),
      assetType: selected("assetTypes", ASSET_TYPES),
      environment: selected("environments", ENVIRONMENTS),
      control: ({ rules }) => (rules as { controls: string[] }[]).flatMap(({ controls }) => controls),
    },
  ],
  [
    "findings",
    () => FINDINGS,
    {
      status: same("status"),
      severity: same("effectiveSeverity"),
      policyId: same("policyId"),
      assetId: same("assetId"),
      control: same("controls"),
    },
  ],
  [
    "runs",
    () => `${GOVERNANCE}/evaluations/runs`,
    { status: same("status"), trigger: same("trigger"), policyId: only("policyIds"), assetId: only("assetIds") },
  ],
  [
    "reviews of a finding",
    () => `${GOVERNANCE}/findings/${findingId}/reviews`,
    {
      action: same("action"),
      outcome: same("outcome"),
      severity: same("severity"),
      policyId: same("policyId"),
      assetId: same("assetId"),
    },
  ],
  [
    "exemptions",
    () => EXEMPTIONS,
    {
      status: same("status"),
      findingId: same("findingId"),
      policyId: same("policyId"),
      assetId: same("onAssetId"),
      severity: same("maxSeverity"),
      category: same("category"),
      requestedBy: same("requestedBy"),
    },
  ],
  [
    "approvals",
    () => `${GOVERNANCE}/approvals`,
    {
      status: same("status"),
      action: ({ action }) => (action as { name: string }).name,
      requestedBy: same("requestedBy"),
      sessionId: same("sessionId"),
      assetId: same("assetIds"),
    },
  ],
  [
    "assessments of controls",
    () => COMPLIANCE,
    {
      framework: same("framework"),
      controlId: same("controlId"),
      status: same("status"),
      workflow: same("workflow"),
      assetId: ({ assetId }) => assetId ?? "tenant",
      assessor: same("assessor"),
    },
  ],
];

describe.each(LISTS)("the list of %s", (_name, pathOf, filters) => {
  it("is filtered by one value, by several, and by two filters at once in either direction", async () => {
    const path = pathOf();
    const all = await page(path);
    expect(all.length).toBeGreaterThan(1);
    for (const [name, read] of Object.entries(filters)) {
      const values = [...new Set(all.flatMap(read))].filter((value) => typeof value === "string").slice(0, MOST_VALUES);
      for (const value of values) {
        const wanted = all.filter((item) => reads(read, item, value));
        expect(ids(await page(path, `&${name}=${encodeURIComponent(value)}`)), `${name}=${value}`).toEqual(ids(wanted));
        for (const [other, readOther] of Object.entries(filters)) {
          const [also] = [readOther(wanted[0] as Item)].flat();
          if (other === name || typeof also !== "string") continue;
          const query = `&${name}=${encodeURIComponent(value)}&${other}=${encodeURIComponent(also)}&sort=createdAt`;
          const both = wanted.filter((item) => reads(readOther, item, also));
          expect(ids(await page(path, query)).sort(), query).toEqual(ids(both).sort());
        }
      }
      const several = values.slice(0, 2).map(encodeURIComponent).join(",");
      const wanted = all.filter((item) => values.slice(0, 2).some((value) => reads(read, item, value)));
      if (values.length > 1) expect(ids(await page(path, `&${name}=${several}`))).toEqual(ids(wanted));
    }
  });

  it("knows nothing of another tenant", async () => {
    const mine = new Set(ids(await page(pathOf())));
    const answer = await world.send("GET", `${pathOf()}?size=100`, { token: world.b.owner.token });
    expect((answer.json.items ?? []).filter(({ id }: Item) => mine.has(id))).toEqual([]);
  });
});

describe("the findings of an asset", () => {
  it("are filtered and put in order as all findings are, and beside them by what the asset is", async () => {
    const assetId = (await page(FINDINGS)).map(same("assetId"))[0] as string;
    for (const severity of ["low", "critical"] as const) await at().found({ severity }, assetId);
    const path = `/api/v1/ai-assets/${assetId}/governance-findings`;
    const all = (await page(FINDINGS)).filter((item) => item.assetId === assetId);
    expect(all.length).toBeGreaterThan(2);
    expect(ids(await page(path))).toEqual(ids(all));
    const wanted = all.filter(({ status, effectiveSeverity }) => status === "open" && effectiveSeverity === "low");
    expect(wanted.length).toBeLessThan(all.length);
    expect(ids(await page(path, "&status=open&severity=low&assetType=application"))).toEqual(ids(wanted));
    expect(await page(path, "&status=open&assetType=model")).toEqual([]);
    const gravity = ["info", "low", "medium", "high", "critical"];
    const rising = (await page(path, "&sort=severity")).map(same("effectiveSeverity"));
    expect(rising).toEqual(
      all.map(same("effectiveSeverity")).sort((a, b) => gravity.indexOf(`${a}`) - gravity.indexOf(`${b}`)),
    );
    expect((await world.send("GET", path, { token: world.b.owner.token })).status).toBe(404);
  });
});

describe("a list is put in order", () => {
  const orders = [
    ["exemptions", EXEMPTIONS, "endsAt", ({ status, expiresAt }: Item) => (status === "approved" ? expiresAt : null)],
    ["assessments", COMPLIANCE, "nextReviewAt", same("nextReviewAt")],
    ["approvals", `${GOVERNANCE}/approvals`, "dueAt", same("expiresAt")],
  ] as const;

  it.each(orders)("of %s", async (_name, path, sort, read) => {
    const rising = (await page(path, `&sort=${sort}`)).map((item) => (read(item) ?? "~") as string);
    expect(rising).toEqual([...rising].sort());
    const falling = (await page(path, `&sort=-${sort}`)).map((item) => (read(item) ?? "~") as string);
    expect(falling).toEqual([...rising].reverse());
    expect(new Set(rising).size).toBeGreaterThan(1);
  });
});

describe("words", () => {
  it("find policies by name, key or description, and assessments by control", async () => {
    const [policy] = await page(`${GOVERNANCE}/policies`);
    expect(ids(await page(`${GOVERNANCE}/policies`, `&search=${policy?.key}`))).toContain(policy?.id);
    expect(await page(`${GOVERNANCE}/policies`, "&search=zanzibar")).toEqual([]);
    const [record] = await page(COMPLIANCE);
    const found = await page(COMPLIANCE, `&search=${encodeURIComponent(record?.controlId as string)}`);
    expect(ids(found)).toContain(record?.id);
  });
});

describe("an approval that has run out", () => {
  it("is listed as expired from that moment on", async () => {
    const path = `${GOVERNANCE}/approvals`;
    const waiting = ids(await page(path, "&status=requested"));
    expect(waiting.length).toBeGreaterThan(0);
    world.clock.advance(61 * 60_000);
    expect(await page(path, "&status=requested")).toEqual([]);
    expect(ids(await page(path, "&status=expired"))).toEqual(waiting);
  });
});
