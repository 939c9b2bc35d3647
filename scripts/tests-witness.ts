// Runs `npm run tests:witness [-- files | --all]`: notes what test files over rules and areas ask of a store, and chooses
// the files that `npm test` runs on PostgreSQL. Without words it asks those that have no note yet.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { command, node } from "./lib/checks.js";
import {
  type Asked,
  markOf,
  type Note,
  notesIn,
  type StoreWitness,
  statementsIn,
  textsOf,
  witnessOf,
} from "./lib/store-witness.js";
import { isAskedOfAll, REPLAY_FILE, readWitness, STORE_FILES, WITNESS_FILE } from "./lib/test-plan.js";
import type { Report } from "./lib/vitest-report.js";
import { root, say } from "./lib/workspace.mjs";

interface Answers {
  readonly files: Readonly<Record<string, Asked>>;
  readonly asked: readonly string[];
}

/** Runs files in one project, and returns what they asked and how long each took. */
async function ask(project: "memory" | "main", files: readonly string[]): Promise<Answers> {
  if (files.length === 0) return { files: {}, asked: [] };
  const folder = mkdtempSync(join(tmpdir(), "reeve-witness-"));
  try {
    const report = join(folder, "report.json");
    const notes = join(folder, "notes");
    mkdirSync(notes);
    process.env.REEVE_STORE_WITNESS = notes;
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const { ok } = await node([command("vitest"), "run", "--project", project, ...reporters, ...files], true);
    if (!ok) throw new Error("a test fails, so it is not known what the files ask");
    return answersOf(notesIn(notes), JSON.parse(readFileSync(report, "utf8")) as Report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What notes say, with the times in a report of the same run. */
function answersOf(notes: readonly Note[], { testResults }: Report): Answers {
  const times = new Map(testResults.map(({ name, startTime, endTime }) => [relative(root, name), endTime - startTime]));
  const entries = notes.map(({ file, asked }): [string, Asked] => {
    const marks = [...new Set(asked.map(markOf))].sort();
    return [file, { ms: Math.round(times.get(file) ?? 0), asks: marks.join("") }];
  });
  return { files: Object.fromEntries(entries), asked: notes.flatMap(({ asked }) => asked) };
}

const words = process.argv.slice(2);
const isAll = words.includes("--all");
const before: Omit<StoreWitness, "chosen"> = isAll ? { files: {}, statements: {} } : readWitness();
const given = words.filter((word) => word !== "--all").map((path) => relative(root, resolve(path)));
const wanted = STORE_FILES.filter((file) => file !== REPLAY_FILE).filter((file) =>
  given.length > 0 ? given.includes(file) : before.files[file] === undefined,
);
const answers = [
  await ask(
    "memory",
    wanted.filter((file) => !isAskedOfAll(file)),
  ),
  // They ask a database of less than `npm test` asks in memory, where they are files of `main`.
  await ask("main", wanted.filter(isAskedOfAll)),
];
// A file that asks nothing of a store is known too.
const nothing = Object.fromEntries(wanted.map((file) => [file, { ms: 0, asks: "" }]));
const all = Object.assign({}, before.files, nothing, ...answers.map(({ files }) => files)) as StoreWitness["files"];
const files = Object.fromEntries(STORE_FILES.flatMap((file) => (all[file] ? [[file, all[file]]] : [])));
const statements = statementsIn([...textsOf(before.statements), ...answers.flatMap(({ asked }) => asked)]);

const write = (witness: StoreWitness) => writeFileSync(WITNESS_FILE, `${JSON.stringify(witness, null, 2)}\n`);
// The rule that asks all statements reads them from there.
write({ files, chosen: [], statements });
const replay = await ask("memory", [REPLAY_FILE]);
const witness = witnessOf({ ...files, ...replay.files }, statements);
write(witness);
await node([command("@biomejs/biome", "biome"), "format", "--write", WITNESS_FILE], false);
say(`${witness.chosen.length} of ${STORE_FILES.length} files chosen for PostgreSQL`);
