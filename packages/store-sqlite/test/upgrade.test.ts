import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { describeUpgrades, sitedAssets } from "@reeve/testkit";
import { inject } from "vitest";
import { createSqliteStore } from "../src/index.js";
import { temporaryFile } from "./support.js";
import { upgradesOf } from "./upgrades.js";

const program = inject("programs")["packages/store-sqlite/test/upgrade-process.ts"];

describeUpgrades(new URL("./fixtures/", import.meta.url), ({ bytes }) => ({
  name: "SQLite",
  async restore() {
    const file = temporaryFile();
    writeFileSync(file, bytes);
    return {
      async killAt(rows) {
        const [, signal] = await once(
          spawn(process.execPath, [program, file, String(rows)], { stdio: "inherit" }),
          "exit",
        );
        if (signal !== "SIGKILL") throw new Error("the upgrade ended before it was killed");
      },
      open: (release, collection = sitedAssets()) =>
        createSqliteStore({ file, migrations: upgradesOf(release, collection) }),
    };
  },
}));
