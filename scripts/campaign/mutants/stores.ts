import { type Mutant, tests } from "../mutant.js";

const searchIndex = "packages/store-sqlite/test/search-index.test.ts";

export const stores: readonly Mutant[] = [
  {
    breaks: "a key of platform scope leads from one tenant to the record of another",
    file: "packages/core/src/store/memory/reader.ts",
    text: "const entry = holder && this.#entry(collection, holder.id);",
    replacement: "const entry = holder && this.view().entry(collection.name, holder.tenantId, holder.id);",
    witnesses: tests(
      "packages/testkit/test/memory-store.test.ts",
      "store contract: memory unique a key of platform scope holds across tenants",
    ),
  },
  {
    breaks: "a search counts rows of another tenant that the index has under this one's number",
    file: "packages/store-sqlite/src/search.ts",
    text: ' where t.removed_at is null and t.tenant_id = ?`, slots: ["numbers", "tenant"] }',
    replacement: ' where t.removed_at is null`, slots: ["numbers"] }',
    witnesses: tests(
      searchIndex,
      "shows and counts no row of another tenant, even where the index says that it is this one's",
    ),
  },
  {
    breaks: "hits of the next tenant crowd out those of this one",
    file: "packages/store-sqlite/src/search.ts",
    text: "end: searchRow(number + 1, 0)",
    replacement: "end: searchRow(number + 2, 0)",
    witnesses: tests(
      searchIndex,
      "finds what a tenant has beside more hits of the next than it looks at, and the other way round",
    ),
  },
  {
    breaks: "a transaction commits what it decided by a row that has changed since",
    file: "packages/store-postgres/src/query/optimistic-reads.ts",
    text: ` &&
            write.previous.version === version,`,
    replacement: ",",
    witnesses: tests(
      "packages/store-postgres/test/optimistic-reads.test.ts",
      "does not decide by what a row was before it read it again and wrote it",
    ),
  },
  {
    breaks: "a finished write waits for the end of a slow transaction that was seated behind it",
    file: "packages/store-sqlite/src/group-commit.ts",
    text: "if (!mayJoin) this.#commit();",
    replacement: "",
    witnesses: tests(
      "packages/store-sqlite/test/group-commit.test.ts",
      "K13 commits what is finished before work of a kind whose last run took its time takes the seat",
    ),
  },
  {
    breaks: "a statement of the host's meets the lock of a transaction that waits for the event loop",
    file: "packages/store-sqlite/src/group-commit.ts",
    text: "if (this.besideHost) await this.#gathered();",
    replacement: "",
    witnesses: tests(
      "packages/store-sqlite/test/host-writes.test.ts",
      "a host on the file of its handle writes in timers and in handlers that call, beside calls that never pause",
    ),
  },
  {
    breaks: "a connection to a server that became read-only goes back to the pool",
    file: "packages/store-postgres/src/statement/errors.ts",
    text: "(08|57P0|25006|25P0[34]|26000|42P05)",
    replacement: "(08|57P0|25P0[34]|26000|42P05)",
    witnesses: tests(
      "packages/store-postgres/test/read-only.test.ts",
      "a server that became read-only K16 refuses a held transaction, and its connection is not used again",
    ),
  },
  {
    breaks: "a unit runs again that has committed a group whose confirmation was lost",
    file: "packages/store-postgres/src/store.ts",
    text: "if ((await unit.end()) || isOfAll(error)) throw error;",
    replacement: "if (await unit.end()) throw error;",
    witnesses: tests(
      "packages/store-postgres/test/group-commit.test.ts",
      "a group whose connection breaks K14 of which the confirmation was lost does not run the one again that committed it",
    ),
  },
];
