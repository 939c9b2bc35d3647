/** Table-wide rules that a check leaves to `npm test`. Tenancy is the dearest of them. */
const DEAR_RULES = ["tenancy"];

/** The tests that a changed file affects, as folders and files, and whether the operation table depends on it. */
export interface Reach {
  readonly tests: readonly string[];
  readonly table: boolean;
}

/** The tests that a changed path affects, by the layout of the repository. */
export function reachOf(path: string): Reach {
  if (path.endsWith(".test.ts")) return { tests: [path], table: false };
  const [, area, inside] = /^packages\/core\/src\/(?:families\/)?([\w-]+)(\/|\.ts$)/.exec(path) ?? [];
  if (area !== undefined) {
    if (inside !== "/") return { tests: [], table: true };
    const sources = path.includes("/families/") ? `families/${area}` : area;
    return { tests: [`packages/core/src/${sources}/`, `packages/core/test/${area}/`], table: true };
  }
  const [folder] = /^(?:packages\/(?!core\/)|examples\/)[\w-]+\//.exec(path) ?? /^(?:bench|scripts)\//.exec(path) ?? [];
  return { tests: folder === undefined || !/\.[cm]?[jt]s$/.test(path) ? [] : [folder], table: false };
}

/** Whether the changed paths affect a test file. */
export function isReached(file: string, paths: readonly string[]): boolean {
  const all = paths.map(reachOf);
  if (all.some(({ tests }) => tests.some((test) => file.startsWith(test)))) return true;
  const [, rule] = /^packages\/core\/test\/rules\/([\w-]+)\.test\.ts$/.exec(file) ?? [];
  return rule !== undefined && !DEAR_RULES.includes(rule) && all.some(({ table }) => table);
}
