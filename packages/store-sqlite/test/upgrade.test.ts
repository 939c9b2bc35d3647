import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describeAddedKeys, describeUpgrade, sitedAssets, type UpgradeOptions } from "@reeve/testkit";
import { inject } from "vitest";
import { createSqliteStore } from "../src/index.js";
import { temporaryFile } from "./support.js";
import { upgradesOf } from "./upgrades.js";

const fixture = gunzipSync(readFileSync(new URL("./fixtures/unreleased.sqlite.gz", import.meta.url)));
const program = inject("programs")["packages/store-sqlite/test/upgrade-process.ts"];

const options: UpgradeOptions = {
  name: "SQLite",
  async restore() {
    const file = temporaryFile();
    writeFileSync(file, fixture);
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
};

describeUpgrade(options);
describeAddedKeys(options);
