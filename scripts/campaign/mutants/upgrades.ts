import { type Mutant, tests, type Witness } from "../mutant.js";

const contract = "packages/store-sqlite/test/contract.test.ts";
const upgrade = "packages/store-sqlite/test/upgrade.test.ts";
const shapes = (name: string) => `store contract: SQLite shapes of records ${name}`;
const onOlder = (name: string): Witness[] => [
  {
    file: "packages/core/test/kernel/each-store/newer-schema.test.ts",
    name: `code of the release before, on a database with a table that it does not know ${name}`,
    project: "sqlite",
  },
];

export const upgrades: readonly Mutant[] = [
  {
    breaks: "upgrades: a query by an added field misses what older code has written",
    file: "packages/store-sql/src/query/fill-tenant.ts",
    text: "if ((await outdatedRows(access, tenantId, table, 1)).length === 0) return;",
    replacement: "return;",
    witnesses: tests(
      contract,
      shapes("a query by an added field finds what older code has written"),
      shapes("and in a transaction, with what the transaction wrote"),
    ),
  },
  {
    breaks: "upgrades: a change by older code counts as of the present shape",
    file: "packages/core/src/store/shape.ts",
    text: "shape !== null && markedVersion === version ? shape : 1",
    replacement: "shape ?? 1",
    witnesses: tests(
      contract,
      shapes("a change by older code is upcast again, and keeps what that code does not know"),
    ),
  },
  {
    breaks: "upgrades: a change of an upcast record leaves its new columns empty and calls them filled",
    file: "packages/store-sqlite/src/writes.ts",
    text: ' || (all && column !== "created_at")',
    replacement: "",
    witnesses: tests(contract, shapes("a change of an upcast record stores all of it")),
  },
  {
    breaks: "upgrades: older code starts on a schema that refuses it",
    file: "packages/store-sql/src/migrate/migration.ts",
    text: 'if (!migration && phase === "expand") continue;',
    replacement: "if (!migration) continue;",
    witnesses: tests(
      upgrade,
      "from 'unreleased' K17 upgrade: SQLite after the last migration of the shape older code is refused, and nothing of it is missed",
    ),
  },
  {
    breaks: "upgrades: a process of the version before turns unready when the schema grows",
    file: "packages/core/src/families/platform/health/operations.ts",
    text: "migration.applied < migration.latest",
    replacement: "migration.applied !== migration.latest",
    witnesses: tests(
      upgrade,
      "from 'unreleased' K17 upgrade: SQLite loses nothing while a process of the release before goes on writing",
    ),
  },
  {
    breaks: "upgrades: an index whose build was broken off is taken for whole",
    file: "packages/store-postgres/src/migrate/backfills.ts",
    text: "if (known?.[0] === true) return;",
    replacement: "if (known) return;",
    witnesses: tests(
      "packages/store-postgres/test/backfill.test.ts",
      "K17 an index whose build was broken off is built again",
    ),
  },
  {
    breaks: "upgrades: the owner of the tables sees all tenants after a backfill",
    file: "packages/store-postgres/src/migrate/backfills.ts",
    text: "end: (backfill) => policy(",
    replacement: "end: (backfill) => (async () => {})() ?? policy(",
    witnesses: tests(
      "packages/store-postgres/test/backfill.test.ts",
      "K17 the owner of the tables fills the rows of all tenants, and sees none of them afterwards",
    ),
  },
  {
    breaks: "upgrades: a late end of a backfill hides the rows of the next one of its table",
    file: "packages/store-postgres/src/migrate/backfills.ts",
    text: "{ name: of, reshape }: Backfill",
    replacement: "{ reshape, reshape: { table: of } }: Backfill",
    witnesses: tests(
      "packages/store-postgres/test/backfill.test.ts",
      "K17 a process that ends a backfill late, after it lost it, leaves the next one of the table its rows",
    ),
  },
  {
    breaks: "upgrades: a process that lost its backfill while it waited for the index leaves the owner a policy",
    file: "packages/store-postgres/src/migrate/backfills.ts",
    text: "        await renew(run);\n",
    replacement: "        if (does === undefined) await renew(run);\n",
    witnesses: tests(
      "packages/store-postgres/test/backfill.test.ts",
      "K17 a process that lost its backfill while it waited for the index leaves no policy behind",
    ),
  },
  {
    breaks: "upgrades: code of the version before drops keys of secrets that it does not know",
    file: "packages/core/src/kernel/operation/vault/rotate.ts",
    text: "while this one sealed.\n  await requireAllSecretsKnown(env);",
    replacement: "while this one sealed.",
    witnesses: onOlder("drops no key when the newer release comes while it rotates"),
  },
  {
    breaks: "upgrades: code of the version before certifies an erasure that leaves rows",
    file: "packages/core/src/families/support/tenants/jobs.ts",
    text: "      if (await isLeft(env)) return steps;\n",
    replacement: "",
    witnesses: onOlder("leaves closed tenants to the newer release, and says so once"),
  },
];
