// What tests ask of stores, and by that which of their files `npm test` runs on PostgreSQL.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isAlwaysOnPostgres, REPLAY_FILE } from "./test-plan.js";
import { root } from "./workspace.mjs";

/** What a test file asked of a store, without values. */
export interface Note {
  readonly file: string;
  readonly store: "memory" | "sqlite" | "postgres";
  readonly asked: readonly string[];
}

/**
 * What a file asks, as marks of four letters each, and how long it took in memory. Of files that do not run on PostgreSQL
 * anyway, only what they ask beyond those.
 */
export interface Asked {
  readonly ms: number;
  readonly asks: string;
}

export interface StoreWitness {
  readonly files: Readonly<Record<string, Asked>>;
  /** The files that PostgreSQL is asked for by what they ask. */
  readonly chosen: readonly string[];
  /** What is asked about each collection; `rules/statements.test.ts` asks it of each store. */
  readonly statements: Readonly<Record<string, readonly string[]>>;
}

/** Four letters for what is asked. Among some thousands hardly two are alike. */
export const markOf = (asked: string): string => createHash("sha256").update(asked).digest("base64url").slice(0, 4);

export const marksIn = ({ asks }: Asked): string[] => asks.match(/.{4}/g) ?? [];

/** The notes of a run, as `packages/core/test/helpers/store-witness.ts` wrote them, of files over rules and areas. */
export function notesIn(folder: string): Note[] {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
  return lines
    .map((line) => JSON.parse(line) as Note)
    .map((note) => ({ ...note, file: relative(root, note.file).replaceAll(sep, "/") }))
    .filter(({ file }) => /\/(?:each-store|rules)\//.test(file));
}

/** What was asked of other stores in a run and not of PostgreSQL, each with the first file that asked it. */
export function unaskedOfPostgres(notes: readonly Note[]): Map<string, string> {
  const asked = new Set(notes.flatMap((note) => (note.store === "postgres" ? note.asked : [])));
  const missing = new Map<string, string>();
  for (const note of notes)
    for (const one of note.asked) if (!asked.has(one) && !missing.has(one)) missing.set(one, note.file);
  return missing;
}

/** A statement about a collection, such as `find users where status= by createdAt desc`, in its parts. */
const STATEMENT = /^(\w+) (\w+)([. ][^:]*)?$/;

/** The statements among what was asked, by collection and without its name. */
export function statementsIn(asked: Iterable<string>): Record<string, string[]> {
  const statements: Record<string, string[]> = {};
  for (const one of [...new Set(asked)].sort()) {
    const [, verb, collection, rest = ""] = STATEMENT.exec(one) ?? [];
    if (collection === undefined) continue;
    statements[collection] ??= [];
    statements[collection].push(verb + rest);
  }
  return statements;
}

/** Statements as they were asked, with the names of their collections. */
export const textsOf = (statements: StoreWitness["statements"]): string[] =>
  Object.entries(statements).flatMap(([collection, all]) =>
    all.map((one) => one.replace(/^\w+/, (verb) => `${verb} ${collection}`)),
  );

/** The witness of these files, with a small set of them for PostgreSQL. */
export function witnessOf(files: StoreWitness["files"], statements: StoreWitness["statements"]): StoreWitness {
  const { [REPLAY_FILE]: replay, ...others } = files;
  const always = new Set(
    Object.entries(others).flatMap(([file, asked]) => (isAlwaysOnPostgres(file) ? marksIn(asked) : [])),
  );
  const candidates = Object.entries(others).map(([file, asked]) => ({
    file,
    ms: asked.ms,
    marks: marksIn(asked).filter((mark) => isAlwaysOnPostgres(file) || !always.has(mark)),
  }));
  const chosen = cover(
    candidates.filter(({ file }) => !isAlwaysOnPostgres(file)),
    new Set(replay ? marksIn(replay).filter(isStatement(statements)) : []),
  );
  const kept = candidates.map(({ file, ms, marks }): [string, Asked] => [file, { ms, asks: marks.join("") }]);
  return {
    files: Object.fromEntries([...kept, ...(replay ? [[REPLAY_FILE, replay] as const] : [])]),
    chosen: chosen.map(({ file }) => file).sort(),
    statements,
  };
}

/** Whether a mark is of a statement. How a statement is asked differs between the rule that asks all and other files. */
function isStatement(statements: StoreWitness["statements"]): (mark: string) => boolean {
  const marks = new Set(textsOf(statements).map(markOf));
  return (mark) => marks.has(mark);
}

interface Candidate {
  readonly file: string;
  readonly ms: number;
  readonly marks: readonly string[];
}

/** Beside its tests each file takes a database and worlds. */
const FILE_MS = 300;
/** A file that brings fewer statements for each second is not worth its time, because a rule asks each of them anyway. */
const LEAST_PER_SECOND = 0.8;

/** Files that have all marks together, but for statements that cost too much: each time the one that brings most for its time. */
function cover(candidates: readonly Candidate[], replayed: ReadonlySet<string>): Candidate[] {
  const open = new Set(candidates.flatMap(({ marks }) => marks));
  const chosen: Candidate[] = [];
  const brings = ({ marks }: Candidate) => marks.filter((mark) => open.has(mark));
  const worth = (candidate: Candidate) => brings(candidate).length / (candidate.ms + FILE_MS);
  for (;;) {
    const needed = candidates.filter((one) => brings(one).some((mark) => !replayed.has(mark)));
    const cheap = candidates.filter((one) => worth(one) * 1_000 >= LEAST_PER_SECOND);
    const [first, ...others] = cheap.length > 0 ? cheap : needed;
    if (first === undefined) return chosen;
    const best = others.reduce((one, other) => (worth(other) > worth(one) ? other : one), first);
    chosen.push(best);
    for (const mark of best.marks) open.delete(mark);
  }
}
