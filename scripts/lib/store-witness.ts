// What tests ask of stores, and by that which of their files `npm test` runs on PostgreSQL.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isAlwaysOnPostgres } from "./test-plan.js";
import { root } from "./workspace.mjs";

/** What a test file asked of a store, without values. */
export interface Note {
  readonly file: string;
  readonly store: "memory" | "sqlite" | "postgres";
  readonly asked: readonly string[];
}

/** What a file asks, as marks of four letters each, and how long it took in memory. */
export interface Asked {
  readonly ms: number;
  readonly asks: string;
}

export interface StoreWitness {
  readonly files: Readonly<Record<string, Asked>>;
  /** The files that together ask what none asks that runs on PostgreSQL anyway. */
  readonly chosen: readonly string[];
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

/** The witness of these files, with the smallest set that greed finds. */
export function witnessOf(files: Readonly<Record<string, Asked>>): StoreWitness {
  const always = new Set(
    Object.entries(files).flatMap(([file, asked]) => (isAlwaysOnPostgres(file) ? marksIn(asked) : [])),
  );
  const beyond = Object.entries(files).map(([file, asked]) => ({
    file,
    ms: asked.ms,
    marks: marksIn(asked).filter((mark) => !always.has(mark)),
  }));
  return {
    files,
    chosen: cover(beyond)
      .map(({ file }) => file)
      .sort(),
  };
}

interface Candidate {
  readonly file: string;
  readonly ms: number;
  readonly marks: readonly string[];
}

/** Beside its tests each file takes a database and worlds. */
const FILE_MS = 300;

/** Files that have all marks together: each time the one that brings most for its time, and then none that is needless. */
function cover(candidates: readonly Candidate[]): Candidate[] {
  const open = new Set(candidates.flatMap(({ marks }) => marks));
  const chosen: Candidate[] = [];
  const worth = ({ marks, ms }: Candidate) => marks.filter((mark) => open.has(mark)).length / (ms + FILE_MS);
  while (open.size > 0) {
    const best = candidates.reduce((one, other) => (worth(other) > worth(one) ? other : one));
    chosen.push(best);
    for (const mark of best.marks) open.delete(mark);
  }
  for (const one of [...chosen].sort((a, b) => b.ms - a.ms)) {
    const others = new Set(chosen.filter((other) => other !== one).flatMap(({ marks }) => marks));
    if (one.marks.every((mark) => others.has(mark))) chosen.splice(chosen.indexOf(one), 1);
  }
  return chosen;
}
