import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ControlPlane, NeutralRequest } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { ISSUER, MASTER_KEY, seedEstate, signIn } from "./estate.js";
import { Progress } from "./progress.js";
import { FindingsHandler, type FindingsQuery } from "./reference/findings.js";
import { assetId, findings, policyId, RARE_WORD, sampleFinding } from "./samples-findings.js";
import { searchSettled } from "./search-settled.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

const LISTS_USAGE = `npm run bench -- lists [options]
  --findings 100000    sizes of the tenant's findings, with commas; SQLite
  --rounds 5           rounds of each list, in turn with the hand-written handler
  --reads 40           reads in one round`;

const BATCH = 1_000;
const PATH = "/api/v1/ai-governance/findings";

interface List {
  readonly name: string;
  readonly query: string;
  readonly sql: FindingsQuery;
}

/** Elapsed time of a read, and processor time of this process for it, in ms. */
interface Taken {
  readonly wall: number;
  readonly cpu: number;
}

/** Each list by its query, and by the equivalent hand-written SQL. */
function listsOf(size: number): readonly List[] {
  const [policy, asset] = [policyId(Math.floor(size / 2)), assetId(Math.floor(size / 2))];
  const openCritical = [
    ["status", ["open"]],
    ["severity", ["critical"]],
  ] as const;
  return [
    { name: "newest", query: "", sql: {} },
    { name: "status", query: "status=open", sql: { where: [["status", ["open"]]] } },
    { name: "status and severity", query: "status=open&severity=critical", sql: { where: openCritical } },
    { name: "policy", query: `policyId=${policy}`, sql: { where: [["policy_id", [policy]]] } },
    {
      name: "policy and status",
      query: `policyId=${policy}&status=dismissed`,
      sql: {
        where: [
          ["policy_id", [policy]],
          ["status", ["dismissed"]],
        ],
      },
    },
    { name: "asset", query: `assetId=${asset}`, sql: { where: [["asset_id", [asset]]] } },
    { name: "search, rare word", query: `search=${RARE_WORD}`, sql: { word: RARE_WORD } },
    {
      name: "two statuses",
      query: "status=open,acknowledged",
      sql: { where: [["status", ["open", "acknowledged"]]] },
    },
    { name: "by severity", query: "sort=-severity", sql: { orderBy: "gravity" } },
    {
      name: "status by severity",
      query: "status=open&sort=-severity",
      sql: { where: [["status", ["open"]]], orderBy: "gravity" },
    },
  ];
}

/** Measures lists of findings, in this process and without a network, against the minimum that could answer them. */
export async function benchLists(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      findings: { type: "string", default: "100000" },
      rounds: { type: "string", default: "5" },
      reads: { type: "string", default: "40" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${LISTS_USAGE}\n`);
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-lists-"));
  const progress = new Progress();
  try {
    for (const size of values.findings.split(",").map(Number)) {
      const rounds = { rounds: Number(values.rounds), reads: Number(values.reads) };
      await figures(join(folder, `${size}.sqlite`), size, rounds, progress);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function figures(
  file: string,
  size: number,
  { rounds, reads }: { readonly rounds: number; readonly reads: number },
  progress: Progress,
): Promise<void> {
  const store = openStore({ store: "sqlite", location: file });
  const { tenantId, userId } = await seedEstate(store, 0, progress);
  const each = await seedFindings(store, { tenantId, userId }, size, progress);
  say(`${size.toLocaleString("en")} findings, SQLite; an insert took ${each.toFixed(0)} µs`);
  await searchSettled(file, "the findings", 60_000 + size);
  const headers = { authorization: `Bearer ${await signIn(store)}` };
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
  const handler = new FindingsHandler(file, tenantId);
  for (const { name, query, sql } of listsOf(size)) {
    const target = query === "" ? PATH : `${PATH}?${query}`;
    const subject: Taken[] = [];
    const reference: Taken[] = [];
    for (let round = 0; round <= rounds; round++) {
      const taken = await timed(reads, () => list(controlPlane, { target, headers }));
      const bare = await timed(reads, async () => handler.list(sql));
      // The first round warms up.
      if (round === 0) continue;
      subject.push(taken);
      reference.push(bare);
    }
    const [wall, computing] = (["wall", "cpu"] as const).map((of) => {
      const [took, bare] = [subject, reference].map((all) => all.map((one) => one[of])) as [number[], number[]];
      const ratio = median(took.map((one, round) => one / (bare[round] as number)));
      return `${median(took).toFixed(2)} ms (by hand ${median(bare).toFixed(2)}, ratio ${ratio.toFixed(2)})`;
    });
    say(`  ${name}: ${wall}, computing ${computing}`);
  }
  handler.close();
  await controlPlane.close();
}

/** Adds `size` findings to a tenant. Returns the time per finding, in µs. */
async function seedFindings(
  store: Store,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
  size: number,
  progress: Progress,
): Promise<number> {
  const tenant = store.forTenant(tenantId);
  const newest = Date.now();
  let taken = 0;
  for (let start = 0; start < size; start += BATCH) {
    const count = Math.min(BATCH, size - start);
    const records = Array.from({ length: count }, (_, at) => sampleFinding(start + at, size, userId, newest));
    const began = performance.now();
    await tenant.insertMany(findings, records);
    taken += performance.now() - began;
    progress.at(`seeding ${(start + count).toLocaleString("en")} of ${size.toLocaleString("en")} findings`);
  }
  return (taken * 1_000) / size;
}

async function list(
  controlPlane: ControlPlane,
  { target, headers }: Pick<NeutralRequest, "target" | "headers">,
): Promise<void> {
  const body = async () => new Uint8Array();
  const answer = await controlPlane.handle({ method: "GET", target, headers, body, remoteAddress: "127.0.0.1" });
  if (answer?.status !== 200) throw new Error(`${target} answered ${answer?.status}: ${answer?.body}`);
}

/** The cost of one read: elapsed time at the median, processor time on average. */
async function timed(reads: number, work: () => Promise<unknown>): Promise<Taken> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let read = 0; read < reads; read++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  const { user, system } = process.cpuUsage(before);
  return { wall: median(times), cpu: (user + system) / 1_000 / reads };
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
