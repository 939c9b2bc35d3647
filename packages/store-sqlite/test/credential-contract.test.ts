import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeCredentialContract } from "@reeve/testkit";
import { createSqliteStore } from "../src/index.js";

describeCredentialContract({
  name: "SQLite",
  create: async () => {
    const folder = mkdtempSync(join(tmpdir(), "reeve-sqlite-credentials-"));
    return {
      open: async () => createSqliteStore({ file: join(folder, "reeve.sqlite") }),
      dispose: async () => rmSync(folder, { recursive: true }),
    };
  },
});
