import { setTimeout } from "node:timers/promises";
import { plainBody } from "../samples.js";
import { median } from "../stats.js";
import type { OpenedBuild } from "./opened-build.js";

/** Assets that lists are asked about. */
const ASSETS = 10_000;
/** Policies in force or under observation, of which one in ten finds something in each asset. */
const POLICIES = 20;
const ROUNDS = 5;
/** Calls before the counted ones: with fewer, compiling what is called takes more than the calls do. */
const WARM_UP = 3_000;
const EVALUATED = 500;
/** Calls under way together, as clients of a busy server send them. */
const AT_ONCE = 64;
/** Imports whose turns of the event loop are timed, and the assets of each. */
const WATCHED_IMPORTS = 5;
const WATCHED = 2_500;
/** After this all that an import set off has ended. */
const SETTLED_MS = 2_000;
const LISTS: Readonly<Record<string, string>> = {
  "list of assets": "/api/v1/ai-assets",
  "list by one filter": "/api/v1/ai-assets?environment=production",
  "list by two filters": "/api/v1/ai-assets?environment=production&riskTier=high",
  "list by three filters": "/api/v1/ai-assets?environment=production&provider=openai&riskTier=high",
};
const FINDINGS: Readonly<Record<string, string>> = {
  "list of findings": "/api/v1/ai-governance/findings",
  "findings by status and severity": "/api/v1/ai-governance/findings?status=open&severity=high",
};

/** Processor time of each work by its name, in µs for one call, asset or item. Of turns it is the time by the clock, in µs. */
export type Taken = Record<string, number>;

/**
 * Does all works once in turn, each warmed up. What a build of another age refuses has no figure. Throws where this build
 * refuses it.
 */
export async function takeWorks(build: OpenedBuild, isOwn: boolean, say: (what: string) => void): Promise<Taken> {
  const taken: Taken = {};
  const take = async (name: string, work: () => Promise<number>) => {
    try {
      taken[name] = await work();
      say(name);
    } catch (error) {
      if (isOwn) throw error;
      say(`${name}, not by this build: ${String(error).slice(0, 300)}`);
    }
  };
  let made = 0;
  let id = "";
  const create = async () => {
    id = JSON.parse(await build.send("POST", "/api/v1/ai-assets", bodyOf(made++))).id;
  };
  await take("create of an asset", () => repeated(300, create));
  await take("import of an asset", () => spentOn(ASSETS, () => importAll(build, ASSETS), 1));
  await take("read of an asset", () => repeated(2_000, () => build.send("GET", `/api/v1/ai-assets/${id}`)));
  for (const [name, path] of Object.entries(LISTS))
    await take(name, () => repeated(200, () => build.send("GET", path)));
  const asked = {
    subject: { type: "asset", id },
    action: { name: `act${POLICIES >> 1}`, properties: { amount: 120 } },
    resource: { type: "table", id: "customers" },
  };
  await take("logged decision", async () => {
    await addPolicies(build, "runtime", decisionPolicy);
    return repeated(500, () => build.decide(asked));
  });
  await take("logged decision, 64 at once", () => repeated(3_000, () => build.decide(asked), AT_ONCE));
  // A tenant of its own, so that all that is judged is new.
  await take("asset of a first evaluation run", async () => {
    await build.enterTenant("Evaluated");
    await addPolicies(build, "asset", assetPolicy);
    await importAll(build, EVALUATED);
    return spentOn(EVALUATED, () => build.evaluate(), 1);
  });
  for (const [name, path] of Object.entries(FINDINGS))
    await take(name, () => repeated(200, () => build.send("GET", path)));
  // Another tenant, so that the lists above are of as many assets as before.
  await build.enterTenant("Busy");
  await take("create of an asset, 64 at once", () => repeated(3_000, create, AT_ONCE));
  await take("longest turn of the event loop in an import", () => longestTurns(build));
  return taken;
}

/** Imports, and waits for what that sets off behind it, which is part of its price and not of the next work's. */
async function importAll(build: OpenedBuild, count: number): Promise<void> {
  await build.importAssets(mixedItems(count));
  await build.tick();
  await setTimeout(SETTLED_MS);
}

/** The median of rounds, once warmed up. */
async function repeated(calls: number, work: () => Promise<unknown>, inFlight = 1): Promise<number> {
  const run = async (count: number) => {
    let left = count;
    const lane = async () => {
      while (left-- > 0) await work();
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
  };
  await run(WARM_UP);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await spentOn(calls, () => run(calls), 1));
  return median(rounds);
}

/** The longest time between two turns of the event loop while assets are imported: the median of some imports, in µs. */
async function longestTurns(build: OpenedBuild): Promise<number> {
  const longest: number[] = [];
  for (let at = 0; at < WATCHED_IMPORTS; at++) {
    let [last, most, isOver] = [performance.now(), 0, false];
    const turn = () => {
      most = Math.max(most, performance.now() - last);
      last = performance.now();
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await build.importAssets(mixedItems(WATCHED, at * WATCHED));
    isOver = true;
    longest.push(most * 1_000);
  }
  await build.tick();
  await setTimeout(SETTLED_MS);
  return median(longest);
}

async function addPolicies(build: OpenedBuild, kind: string, policyOf: (at: number) => object): Promise<void> {
  const status = kind === "runtime" ? "active" : "observe";
  for (let at = 0; at < POLICIES; at++)
    await build.send("POST", "/api/v1/ai-governance/policies", { status, configuration: policyOf(at) });
}

function decisionPolicy(at: number): object {
  const name = `act${at}`;
  const condition = `action.name == "${name}" && action.properties.amount < 1000`;
  const rules = [{ key: "small", effect: "allow", if: condition, message: "Small enough." }];
  const tests = [
    { name: "small", input: { action: { name, properties: { amount: 1 } } }, expect: "allow" },
    { name: "another", input: { action: { name: "another" } }, expect: "none" },
  ];
  return { kind: "runtime", key: name, rules, tests };
}

function assetPolicy(at: number): object {
  const finds = at % 10 === 0;
  const assert = finds
    ? `asset.hasTeam && asset.riskScore < ${100 + at}`
    : `asset.name != "" && asset.riskScore <= ${100 + at}`;
  const input = { asset: { name: "x", riskScore: 1, lifecycle: "registered", hasTeam: true } };
  const rules = [{ key: "holds", assert, message: "{asset.name} fails." }];
  return { key: `bench-${at}`, rules, tests: [{ name: "holds", input, expect: "pass" }] };
}

/** Older builds have no owners elsewhere. */
function bodyOf(at: number): Record<string, unknown> {
  const { owner: _elsewhere, ...body } = plainBody(at);
  return body;
}

/** Items whose filters are of all values. */
function* mixedItems(count: number, from = 0) {
  for (let at = from; at < from + count; at++) yield { ...bodyOf(at), externalRef: { source: "cmdb", id: `ci-${at}` } };
}

/** Processor time of this process, all threads, in µs for each of `count`. */
async function spentOn(count: number, work: () => Promise<unknown>, calls = count): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
