/** A test that must fail with a mutant. */
export interface Witness {
  /** Path from the root of the repository. */
  readonly file: string;
  /** The whole name, including its groups. */
  readonly name: string;
  /** The vitest project; `main` when absent. */
  readonly project?: "main" | "sqlite" | "postgres";
}

/** The unique title of a test. */
export const titleOf = ({ project = "main", file, name }: Witness): string => `[${project}] ${file} > ${name}`;

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

/** Tests of one file, by their whole names. */
export const tests = (file: string, ...names: string[]): Witness[] => names.map((name) => ({ file, name }));

/** Tests of one rule file, which runs on every store. */
export const onEveryStore = (file: string, ...names: string[]): Witness[] =>
  (["main", "sqlite", "postgres"] as const).flatMap((project) => names.map((name) => ({ file, name, project })));
