import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describeAddedKeys, describeUpgrade, sitedAssets, type UpgradeOptions } from "@reeve/testkit";
import { inject } from "vitest";
import { createPostgresStore } from "../src/index.js";
import { connect, emptyDatabase } from "./support.js";
import { upgradesOf } from "./upgrades.js";

const fixture = gunzipSync(readFileSync(new URL("./fixtures/unreleased.sql.gz", import.meta.url))).toString();
const program = inject("programs")["packages/store-postgres/test/upgrade-process.ts"];

const options: UpgradeOptions = {
  name: "PostgreSQL",
  async restore() {
    const url = await emptyDatabase();
    await (await connect(url)).query(fixture);
    return {
      async killAt(rows) {
        const [, signal] = await once(
          spawn(process.execPath, [program, url, String(rows)], { stdio: "inherit" }),
          "exit",
        );
        if (signal !== "SIGKILL") throw new Error("the upgrade ended before it was killed");
      },
      open: (release, collection = sitedAssets()) =>
        createPostgresStore({ url, poolSize: 4, migrations: upgradesOf(release, collection) }),
    };
  },
};

describeUpgrade(options);
describeAddedKeys(options);
