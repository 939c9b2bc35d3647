import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeCredentialContract } from "@reeve/testkit";
import { inject } from "vitest";
import { createSqliteStore } from "../src/index.js";

describeCredentialContract({
  name: "SQLite",
  create: async () => {
    const folder = mkdtempSync(join(inject("temporaryFolder"), "reeve-sqlite-credentials-"));
    return {
      open: async () => createSqliteStore({ file: join(folder, "reeve.sqlite") }),
      dispose: async () => rmSync(folder, { recursive: true }),
    };
  },
});
