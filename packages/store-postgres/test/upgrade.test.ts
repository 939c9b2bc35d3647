import { spawn } from "node:child_process";
import { once } from "node:events";
import { describeUpgrades, sitedAssets } from "@reeve/testkit";
import { inject } from "vitest";
import { createPostgresStore } from "../src/index.js";
import { connect, emptyDatabase } from "./support.js";
import { upgradesOf } from "./upgrades.js";

const program = inject("programs")["packages/store-postgres/test/upgrade-process.ts"];

describeUpgrades(new URL("./fixtures/", import.meta.url), ({ bytes }) => ({
  name: "PostgreSQL",
  async restore() {
    const url = await emptyDatabase();
    await (await connect(url)).query(bytes.toString());
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
}));
