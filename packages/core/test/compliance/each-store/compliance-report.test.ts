import { createHash } from "node:crypto";
import { newAssessment, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { sendAsSeen } from "../../helpers/seen.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai/compliance";
const DAY = 86_400_000;
type Control = { state: string; worth: number | null; weight: number; recordId: string | null };

/**
 * Two controls numbered as in their source, one with a reference of its own, and one of each state that needs no
 * assessment.
 */
const ours = {
  ...{ name: "Ours", publisher: "Us", edition: "1" },
  controls: [
    { id: "C 1", title: "One", kind: "manual", weight: 3, sourceRef: "Handbook, C 1" },
    { id: "C 2", title: "Two", kind: "manual", sourceRef: "Letter of May" },
    { id: "C 3", title: "Three", kind: "automated", policyRules: ["session-limits/session-limits"] },
    { id: "C 4", title: "Four", kind: "manual", appliesFrom: "2030-01-01" },
    { id: "C 5", title: "Five", kind: "manual", applicability: "estate.assetType.dataset > 9" },
  ],
};

let world: World;
let report: { organization: string; frameworks: { name: string; framework: string; controls: Control[] }[] };
let text: string;
let empty: string;

async function pageOf(scene: World["a"], format = "html") {
  const { username, password } = scene.owner;
  const { token } = (await world.send("POST", "/api/v1/auth/signin", { body: { username, password } })).json;
  return world.send("GET", `${PATH}/report?format=${format}`, { token });
}

beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  const { a, clock, controlPlane } = world;
  const put = async (path: string, body: object, who = a.owner) => {
    const answer = await sendAsSeen(world, "PUT", `${PATH}${path}`, { token: who.token, body });
    if (answer.status !== 200) throw new Error(answer.text);
  };
  await put("/frameworks/ours", ours);
  const assess = (controlId: string) => newAssessment(a, { assetId: null, framework: "ours", controlId });
  await put(`/${await assess("C 1")}`, { status: "partial" });
  await put(`/${await assess("C 2")}`, { status: "exempted", reason: "for a test" }, a.actors.admin);
  await controlPlane.tick();
  clock.advance(DAY);
  report = (await pageOf(a, "json")).json;
  text = (await pageOf(a)).text;
  empty = (await pageOf(world.b)).text;
});

const all = (page: string, pattern: RegExp) => [...page.matchAll(pattern)].map(([, inner = ""]) => inner);

describe.each(["filled", "empty"])("the page of a report, %s,", (kind) => {
  const page = () => (kind === "empty" ? empty : text);

  it("says in which language it is and whose, in its title as well as at its head", async () => {
    const { organization } = kind === "empty" ? (await pageOf(world.b, "json")).json : report;
    expect(organization).toBe(kind === "empty" ? world.b.sentinel : world.a.sentinel);
    expect(page()).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(all(page(), /<title>(Compliance[^<]*)<\/title>/g)).toEqual([
      expect.stringMatching(new RegExp(`^Compliance report of ${organization}, \\d{4}-\\d{2}-\\d{2}$`)),
    ]);
    expect(page()).toContain(`<h1>Compliance report</h1><p class="whose">${organization}</p>`);
  });

  it("has headings in order: one of the first rank, and none that leaves a rank out", () => {
    const ranks = all(page(), /<h([1-6])\b/g).map(Number);
    expect(ranks.filter((rank) => rank === 1)).toEqual([1]);
    expect(ranks.filter((rank, at) => rank > (ranks[at - 1] ?? 0) + 1)).toEqual([]);
  });

  it("has tables whose every head says what it is the head of", () => {
    expect(all(page(), /<th\b([^>]*)>/g).length).toBeGreaterThan(100);
    expect(all(page(), /<th\b([^>]*)>/g).filter((has) => !/ scope="(?:col|row)"/.test(has))).toEqual([]);
    expect(all(page(), /<table\b[^>]*>(<caption>)?/g).filter((caption) => caption === "")).toEqual([]);
  });

  it("has drawings that are named, or that readers of screens pass over as words say the same", () => {
    const drawings = all(page(), /<svg\b([^>]*)>/g);
    const hidden = drawings.filter((has) => has.includes('aria-hidden="true"'));
    const named = drawings.filter((has) => /role="img" aria-labelledby="[^"]+" aria-describedby="[^"]+"/.test(has));
    expect(hidden.length).toBeGreaterThan(5);
    expect(named.length).toBe(kind === "empty" ? 0 : report.frameworks.length + 1);
    expect(hidden.length + named.length).toBe(drawings.length);
  });

  it("has ids that are there once, and points to none that is not there", () => {
    const ids = all(page(), / id="([^"]*)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const pointed = all(page(), /(?:href="#|url\(#|aria-(?:labelledby|describedby)=")([^")]*)/g);
    expect(pointed.length).toBeGreaterThan(10);
    expect(pointed.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("draws each state with marks of its own, so that no colour is needed to tell them apart", () => {
    const marks = all(page(), /<pattern id="mark-([a-z_]+)"/g);
    const paths = all(page(), /<path class="mark [a-z_]+" d="([^"]+)"/g);
    expect(new Set(paths).size).toBe(marks.length);
    // The states without a pattern: one is plain in colour, one is plain without.
    const states = all(page(), /<dt><svg[^>]*><rect class="fill ([a-z_]+)"/g);
    expect(states).toHaveLength(7);
    expect(states.filter((state) => !marks.includes(state))).toEqual(["compliant", "not_assessed"]);
  });
});

/** The canonical form of RFC 8785, by nothing of Reeve. */
function canonicalForm(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalForm).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${canonicalForm(each)}`).join(",")}}`;
}

describe("G8 the digest of a report", () => {
  it("is that of its inputs as they stand in it, and of the posture at the same moment", async () => {
    const { owner } = world.a;
    for (const key of ["zz-policy", "aa-policy"])
      await world.a.newPolicy("posture", { key, rules: [{ key: "b", assert: "asset.hasOwner", message: "x" }] });
    const { json } = await pageOf(world.a, "json");
    expect(json.inputs.rules.length).toBeGreaterThan(1);
    const digest = createHash("sha256").update(canonicalForm(json.inputs)).digest("hex");
    expect(json.inputsDigest).toBe(digest);
    const { token } = (await world.send("POST", "/api/v1/auth/signin", { body: owner })).json;
    expect((await world.send("GET", `${PATH}/posture`, { token })).json.inputsDigest).toBe(digest);
  });
});

describe("the page of a report", () => {
  it("shows with each score what it is made of, as the controls have it", () => {
    const framework = report.frameworks.findIndex((each) => each.framework === "ours");
    const { controls } = report.frameworks[framework] as (typeof report.frameworks)[number];
    expect(controls.map(({ state }) => state)).toEqual([
      ...["partial", "exempted", "not_assessed", "upcoming", "not_applicable"],
    ]);
    const section = text.slice(text.indexOf(`<h2 id="framework-${framework}">`)).split("</section>")[0] ?? "";
    const made = all(section, /<span class="made">([^<]*)</g);
    // Half of weight 3, and none of weight 1.
    expect(made).toEqual(["1.5 of 4 by weight", "2 of 3 assessed", "of 5 in all", "and 1 partly met"]);
    const legend = all(section, /<\/svg> ([A-Z][a-z ]+ <b>\d+)</g);
    expect(legend).toEqual([
      ...["Partly met <b>1", "Exempted <b>1", "Not assessed <b>1", "Not applicable <b>1", "Upcoming <b>1"],
    ]);
    for (const { recordId } of controls.filter((each) => each.recordId)) expect(section).toContain(`${recordId}`);
    expect(section).toContain("Missing: session-limits/session-limits.");
    expect(section).toContain("<small>Letter of May</small>");
  });

  it("says once how controls are numbered, where that is the same for all of a framework", () => {
    expect(text).toContain("<caption>155 controls, numbered as in: Regulation (EU) 2024/1689, Article</caption>");
    expect(text).not.toContain("Regulation (EU) 2024/1689, Article 4<");
  });

  it("says so where there is nothing: no score, no earlier day, no exemption", () => {
    const figures = all(empty, /<div class="figure"><b>([^<]*)<\/b><span class="name">Score/g);
    expect(new Set(figures)).toEqual(new Set(["none"]));
    expect(empty).toContain("Nothing was assessed.");
    expect(empty).toContain("There is no earlier day to compare with yet.");
    expect(empty).toContain("Nothing is exempted.");
    expect(empty).not.toContain("null");
    expect(empty).not.toContain(world.a.sentinel);
  });
});
