/** A test that relies on what a mutant breaks. */
export interface Witness {
  /** From the root of the repository. */
  readonly file: string;
  /** The whole name, with the names of the groups around it. */
  readonly name: string;
  /** The project of vitest; `main` when absent. */
  readonly project?: "main" | "sqlite" | "postgres";
}

/** What a test is told apart and shown by. */
export const titleOf = ({ project = "main", file, name }: Witness): string => `[${project}] ${file} > ${name}`;

/** One realistic mistake in the sources, and the tests that must fail for it. */
export interface Mutant {
  /** What the mistake breaks, for whoever relies on it. */
  readonly breaks: string;
  /** From the root of the repository. */
  readonly file: string;
  /** The text to replace, which stands in the file exactly once. */
  readonly text: string;
  readonly replacement: string;
  readonly witnesses: readonly Witness[];
}

/** Tests of one file, by their whole names. */
export const tests = (file: string, ...names: string[]): Witness[] => names.map((name) => ({ file, name }));

/** Tests of one file of rules, which run on every store. */
export const onEveryStore = (file: string, ...names: string[]): Witness[] =>
  (["main", "sqlite", "postgres"] as const).flatMap((project) => names.map((name) => ({ file, name, project })));
