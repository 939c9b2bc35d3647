import { join } from "node:path";
import { createVitest, type TestCase, type Vitest } from "vitest/node";
import config from "../../vitest.config.js";
import { root } from "../lib/workspace.mjs";
import { type Mutant, projectOf, titleOf, type Witness } from "./mutant.js";

export type Outcome = ReturnType<TestCase["result"]>["state"];

/** Runs tests on the sources, with at most one file mutated in memory. */
export class Laboratory {
  #mutant: Mutant | undefined;
  #vitest!: Vitest;

  static async open(): Promise<Laboratory> {
    const laboratory = new Laboratory();
    const mutating = {
      name: "mutant",
      enforce: "pre" as const,
      transform: (code: string, id: string) => laboratory.#mutated(code, id.split("?")[0] as string),
    };
    const { test: { projects = [], ...test } = {}, ...vite } = config;
    const mutable = projects.map((project) => {
      if (typeof project !== "object" || !("test" in project)) return project;
      // Vite loads the sources, and not Node, so that they can be mutated.
      return { ...project, test: { ...project.test, execArgv: [], server: {} }, plugins: [mutating] };
    });
    const fixed = { root, config: false as const, watch: false, reporters: [{}], projects: mutable };
    laboratory.#vitest = await createVitest("test", { ...test, ...fixed }, vite);
    return laboratory;
  }

  /** The outcomes of tests by title, with or without a mutant. Missing tests are left out. */
  async outcomes(witnesses: readonly Witness[], mutant?: Mutant): Promise<ReadonlyMap<string, Outcome>> {
    this.#put(mutant);
    const names = witnesses.map(({ name }) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    this.#vitest.setGlobalTestNamePattern(new RegExp(`^(?:${[...new Set(names)].join("|")})$`));
    const all = await this.#vitest.globTestSpecifications(witnesses.map(({ file }) => join(root, file)));
    const wanted = new Set(witnesses.map((witness) => `${projectOf(witness)} ${join(root, witness.file)}`));
    const { testModules } = await this.#vitest.runTestSpecifications(
      all.filter(({ project, moduleId }) => wanted.has(`${project.name} ${moduleId}`)),
    );
    this.#put(undefined);
    const titles = new Set(witnesses.map(titleOf));
    const found = new Map<string, Outcome>();
    for (const { relativeModuleId: file, project, children } of testModules) {
      for (const test of children.allTests()) {
        const name = test.fullName.replaceAll(" > ", " ");
        const title = titleOf({ file, name, project: project.name as Witness["project"] });
        if (titles.has(title)) found.set(title, test.result().state);
      }
    }
    return found;
  }

  close(): Promise<void> {
    return this.#vitest.close();
  }

  #put(mutant: Mutant | undefined): void {
    for (const one of [this.#mutant, mutant]) if (one) this.#vitest.invalidateFile(join(root, one.file));
    this.#mutant = mutant;
  }

  #mutated(code: string, file: string): string | undefined {
    if (!this.#mutant || file !== join(root, this.#mutant.file)) return undefined;
    const { text, replacement } = this.#mutant;
    return code.split(text).join(replacement);
  }
}
