// Which test files run on which store, for vitest.config.ts, `npm test` and the checks of both.
import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { LEFT_FILES } from "./left-to-all.js";
import type { StoreWitness } from "./store-witness.js";
import { filesBelow, root } from "./workspace.mjs";

const CORE = "packages/core/test";
const rulesLike = (pattern: string) => `${CORE}/rules/${pattern}.test.ts`;
const named = (names: readonly string[]) => rulesLike(`@(${names.join("|")})`);

/** Rules over the whole table. */
export const RULES = rulesLike("*");
/** What areas promise on each store. */
export const ON_EACH_STORE = `${CORE}/*/each-store/**/*.test.ts`;

/** Rules that are asked of everything in memory, and of some of it on databases. */
const ASKED_OF_ALL = ["dues", "other-kinds", "roles", "tenancy"];

/**
 * Rules decided before a store is asked, or over the sources alone. `npm test` runs them once, in memory; `stores.test.ts`
 * has a canary of them for each store.
 */
const BEFORE_THE_STORE = [
  "bodies",
  "deprecation",
  "free-values",
  "one-door",
  "other-kinds",
  "relations",
  "roles",
  "four-eyes",
  "spellings",
  "stops",
  "text-keys",
  "token-kinds",
  "tokens",
];
/** Rules decided before a store is asked that `npm test -- --all` too leaves to one database. */
const ON_ONE_DATABASE = ["bodies", "roles", "tokens"];

/** The rule that asks a store what was asked of one. */
const REPLAY = "statements";
export const REPLAY_FILE = `${CORE}/rules/${REPLAY}.test.ts`;
/** Rules that run on PostgreSQL in each run of `npm test`. */
const ALWAYS_ON_POSTGRES = ["concurrency", "idempotency", "manners", REPLAY, "stores", "tenancy"];
/** Files about what races, breaks off or is tried again, by their names. They run on PostgreSQL in each run too. */
const OF_RACES =
  /\/each-store\/[\w-]*(?:races|chaos|crashes|in-flight|outcome|replays|taken-keys|tick)[\w-]*\.test\.ts$/;

/** What each store was seen to be asked, and the files of PostgreSQL chosen by it. Written by `npm run tests:witness`. */
export const WITNESS_FILE = join(root, CORE, "fixtures/store-witness.json");

/** Which tests run: those of `npm test`, or all, as with `npm test -- --all` and by a direct call of vitest. */
export const isQuick = process.env.REEVE_TESTS === "quick";

/** All test files over rules and areas, which differ by their store only. */
export const STORE_FILES: readonly string[] = filesBelow(join(root, CORE), (file) => file.endsWith(".test.ts"))
  .map((file) => relative(root, file).replaceAll(sep, "/"))
  .filter((file) => /\/(?:each-store|rules)\//.test(file))
  .sort();

const ruleOf = (file: string): string => /\/rules\/([\w-]+)\.test\.ts$/.exec(file)?.[1] ?? "";

/** Whether the file has rules that are decided before a store is asked. */
export const isBeforeTheStore = (file: string): boolean => BEFORE_THE_STORE.includes(ruleOf(file));

/** Whether the file asks all in memory, and some of it on databases. */
export const isAskedOfAll = (file: string): boolean => ASKED_OF_ALL.includes(ruleOf(file));

/** Whether `npm test` runs the file on PostgreSQL, whatever it asks of a store. */
export const isAlwaysOnPostgres = (file: string): boolean =>
  ALWAYS_ON_POSTGRES.includes(ruleOf(file)) || OF_RACES.test(file);

export const readWitness = () => JSON.parse(readFileSync(WITNESS_FILE, "utf8")) as StoreWitness;

/** Those that PostgreSQL is asked for by their notes, and those without a note. */
function chosenForPostgres(): readonly string[] {
  const { files, chosen } = readWitness();
  return STORE_FILES.filter((file) => chosen.includes(file) || !(Object.hasOwn(files, file) || isBeforeTheStore(file)));
}

/** Whether `npm test` runs the file in this project. Files of the project `memory` run there on SQLite, or in `main`. */
export function runsInNpmTest(file: string, project: string): boolean {
  if (project === "postgres") return isAlwaysOnPostgres(file) || chosenForPostgres().includes(file);
  if (project === "sqlite") return !isBeforeTheStore(file);
  return !LEFT_FILES.includes(file);
}

interface Files {
  readonly include: string[];
  readonly exclude: string[];
}

/** The files over rules and areas that each project runs. */
export const FILES = {
  /** Excluded from what the project `main` has otherwise. */
  notMain: [
    ...[ON_EACH_STORE, rulesLike(`!(${[...ASKED_OF_ALL, ...(isQuick ? BEFORE_THE_STORE : [])].join("|")})`)],
    ...(isQuick ? LEFT_FILES : []),
  ],
  memory: { include: [RULES, ON_EACH_STORE], exclude: [named(ASKED_OF_ALL)] },
  sqlite: { include: [RULES, ON_EACH_STORE], exclude: isQuick ? [named(BEFORE_THE_STORE)] : [] },
  postgres: isQuick
    ? { include: [...STORE_FILES.filter(isAlwaysOnPostgres), ...chosenForPostgres()], exclude: [] }
    : { include: [RULES, ON_EACH_STORE], exclude: [named(ON_ONE_DATABASE)] },
} satisfies Record<string, Files | string[]>;
