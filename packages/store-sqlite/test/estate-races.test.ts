import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeEstateRaces } from "@reeve/testkit";
import { inject } from "vitest";
import { createSqliteStore } from "../src/index.js";

describeEstateRaces({
  name: "SQLite",
  create: async () => {
    const folder = mkdtempSync(join(inject("temporaryFolder"), "reeve-sqlite-races-"));
    const store = createSqliteStore({ file: join(folder, "reeve.sqlite") });
    return {
      store,
      dispose: async () => {
        await store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
});
