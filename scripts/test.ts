// Runs `npm test` after bootstrapping. The last line is the summary. One check counts as one test.
//
//   npm test                            what a change is judged by; PostgreSQL is asked what the store witness chose
//   npm test -- --all                   every test on every store
//   npm test -- --all --shard=1/3       a third of it
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { check, command, lint, node, script, types } from "./lib/checks.js";
import { notesIn, unaskedOfPostgres } from "./lib/store-witness.js";
import { count, failures, type Report, type Tally } from "./lib/vitest-report.js";
import { elapsed, say } from "./lib/workspace.mjs";

const { values } = parseArgs({ options: { all: { type: "boolean", default: false }, shard: { type: "string" } } });
const [shard = 1, shards = 1] = values.shard?.split("/").map(Number) ?? [];

/** Both databases. The same on the memory store, which is for tests, is for whoever works on it: project `memory`. */
const PROJECTS = ["main", "own-process", "sqlite", "postgres"].flatMap((project) => ["--project", project]);

async function unitTests(): Promise<Tally[]> {
  const started = performance.now();
  const directory = mkdtempSync(join(tmpdir(), "reeve-vitest-"));
  const report = join(directory, "report.json");
  const notes = join(directory, "store-notes");
  try {
    if (!values.all) {
      mkdirSync(notes);
      Object.assign(process.env, { REEVE_TESTS: "quick", REEVE_STORE_WITNESS: notes });
    }
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const sharded = values.shard === undefined ? [] : [`--shard=${values.shard}`];
    const { ok } = await node([command("vitest"), "run", ...PROJECTS, ...sharded, ...reporters], true);
    const reported = existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as Report) : undefined;
    const tally = reported ? count(reported) : { passed: 0, failed: 0 };
    // A run can fail without a failed test: a file does not load, an error is outside of any test, or there are no
    // tests.
    if (!ok && tally.failed === 0) tally.failed = 1;
    for (const line of reported ? failures(reported) : []) say(line);
    say(`${ok ? "passed" : "FAILED"}  tests: ${tally.passed} passed, ${tally.failed} failed (${elapsed(started)})`);
    return ok && !values.all && shards === 1 ? [tally, storeWitness(notes)] : [tally];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The most that is asked of PostgreSQL by no file of the run to print. */
const UNASKED_SHOWN = 20;

/** Whether PostgreSQL was asked all that tests asked of another store in this run. */
function storeWitness(notes: string): Tally {
  const missing = [...unaskedOfPostgres(notesIn(notes))];
  for (const [asked, file] of missing.slice(0, UNASKED_SHOWN)) say(`  PostgreSQL was not asked: ${asked} (${file})`);
  if (missing.length === 0) {
    say("passed  store witness");
    return { passed: 1, failed: 0 };
  }
  const files = [...new Set(missing.map(([, file]) => file))];
  say(`FAILED  store witness: ${missing.length} not asked; npm run tests:witness -- ${files.join(" ")}`);
  return { passed: 0, failed: 1 };
}

type Check = () => Promise<Tally>;

/** Fast checks, run concurrently, because readers of the log wait for them first. */
const quick: readonly Check[] = [
  () => lint("."),
  types,
  () => check("import boundaries", [command("dependency-cruiser", "depcruise"), "packages", "examples", "bench"]),
  () => check("file sizes", script("check-sizes.ts")),
  () => check("areas and resources", script("check-layout.ts")),
  () => check("generated docs", script("generate-docs.ts", "--check")),
];

const tour = (adapter: string, store: string) => () =>
  check(`tour on ${adapter} and ${store}`, script("test-tour.ts", adapter, store));

/** The pair that `npm start` does not begin, and with `--all` the other pairs too. */
const tours = [
  tour("express", "postgres"),
  ...(values.all ? [tour("fastify", "sqlite"), tour("fastify", "postgres"), tour("express", "sqlite")] : []),
];

/** Reeve as a stranger installs it. */
const fromRegistries: readonly Check[] = [
  () => check("packed packages", script("test-packed.ts")),
  () => check("packages from a registry", script("test-registry.ts")),
];

/** Checks that use the built packages. */
const slow: readonly Check[] = [
  () => check("package sizes", script("check-package.ts")),
  // It installs less than `npm test` does, so that what the build needs may be absent there alone.
  () => check("npm start on a fresh clone", script("test-start.ts"), true),
  ...(values.all ? fromRegistries : []),
  ...tours,
];

/** Runs checks one by one, in the time that the unit tests leave idle. */
async function inTurn(checks: readonly Check[]): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const each of checks) tallies.push(await each());
  return tallies;
}

/** Shards take turns with the checks that are no tests. */
const ofShard = (checks: readonly Check[]) => checks.filter((_check, at) => at % shards === shard - 1);

const tallies = await Promise.all(ofShard(quick).map((each) => each()));
const [ofUnits, ofSlow] = await Promise.all([unitTests(), inTurn(ofShard(slow))]);
tallies.push(...ofUnits, ...ofSlow);

const total = (key: keyof Tally) => tallies.reduce((sum, tally) => sum + tally[key], 0);
if (total("failed") > 0) process.exitCode = 1;
say(`${total("passed")} passed, ${total("failed")} failed`);
