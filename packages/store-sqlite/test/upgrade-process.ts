import { sitedAssets } from "@reeve/testkit";
import { createSqliteStore } from "../src/index.js";
import { upgradesOf } from "./upgrades.js";

/** A child process that upgrades the given database, and kills itself when it has so many rows in hand. */
const [file = "", rows = ""] = process.argv.slice(2);
let seen = 0;
const collection = sitedAssets(() => {
  seen += 1;
  if (seen === Number(rows)) process.kill(process.pid, "SIGKILL");
});
await createSqliteStore({ file, migrations: upgradesOf("present", collection) }).migrate();
