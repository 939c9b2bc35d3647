import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStore } from "@reeve/store-sqlite";
import { root } from "../../../lib/workspace.mjs";
import { afterPage, newAcme } from "../acme.js";

const folder = mkdtempSync(join(tmpdir(), "reeve-import-"));
const file = join(folder, "reeve.sqlite");
const masterKey = process.env.REEVE_MASTER_KEY ?? "";
afterPage(() => rmSync(folder, { recursive: true }));
const acme = await newAcme({ store: createSqliteStore({ file }), masterKey });
const { data: profile } = await acme.owner.client.GET("/api/v1/tenant/domain");

/** The page finds the store of a server that has the tenant Acme. */
export const env = { REEVE_STORE: `sqlite:${file}` };
export const placeholders = [["--tenant acme", `--tenant ${profile.subdomain}`]] as const;

const exported = (name: string) => readFileSync(join(root, "packages/server/test/fixtures/import", name), "utf8");
export const files = {
  "cmdb_ci.csv": exported("servicenow.csv"),
  "models.json": exported("mlflow.json"),
  "estate.csv": exported("spreadsheet.csv"),
};
