import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/workspace.mjs";

/** A test that must fail with a mutant. */
export interface Witness {
  /** Path from the root of the repository. */
  readonly file: string;
  /** The whole name, including its groups. */
  readonly name: string;
  /** The vitest project; the one without a database when absent. */
  readonly project?: "main" | "memory" | "sqlite" | "postgres" | "own-process";
}

/** The vitest project that a test is asked for in. */
export const projectOf = ({ project, file }: Omit<Witness, "name">): string =>
  project ?? (IN_MEMORY.test(file) ? "memory" : "main");

/** Test files that the vitest project "memory" runs. */
const IN_MEMORY = /\/each-store\/|\/rules\/(?!dues|other-kinds|roles|tenancy)/;

/** The unique title of a test. */
export const titleOf = (witness: Witness): string => `[${projectOf(witness)}] ${witness.file} > ${witness.name}`;

/** A realistic mistake in the sources, and the tests that must fail with it. */
export interface Mutant {
  /** The effect of the mistake. */
  readonly breaks: string;
  /** Path from the root of the repository. */
  readonly file: string;
  /** The text to replace. It occurs exactly once in the file. */
  readonly text: string;
  readonly replacement: string;
  readonly witnesses: readonly Witness[];
}

/** Why a mutant no longer applies; `undefined` when it does. */
export function outOfDate({ file, text, replacement }: Mutant): string | undefined {
  if (text === replacement) return "its replacement is its text";
  try {
    const found = readFileSync(join(root, file), "utf8").split(text).length - 1;
    return found === 1 ? undefined : `its text stands in the file ${found} times instead of once`;
  } catch {
    return "the file is gone";
  }
}

/** Tests of one file, by their whole names. */
export const tests = (file: string, ...names: string[]): Witness[] => names.map((name) => ({ file, name }));

/** Tests of one file that runs on every store. */
export const onEveryStore = (file: string, ...names: string[]): Witness[] =>
  [{}, { project: "sqlite" }, { project: "postgres" }].flatMap((on) =>
    names.map((name) => ({ file, name, ...on }) as Witness),
  );
