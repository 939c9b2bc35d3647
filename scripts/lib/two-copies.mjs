// Runs in a consumer with two copies of the packed packages, the second below `other/`. A process can then load two
// copies of core, each with its own classes.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createControlPlane, ReeveError } from "@reeve/core";
import { Row, StoreError } from "@reeve/core/store";

const here = createRequire(import.meta.url);
assert.equal(here("@reeve/core").ReeveError, ReeveError, "import and require() gave two copies");
assert.equal(here("@reeve/core/store").StoreError, StoreError, "import and require() gave two copies");

const require = createRequire(new URL("./other/", import.meta.url));
const other = { ...require("@reeve/core"), ...require("@reeve/core/store") };

for (const [mine, theirs] of [
  [StoreError, other.StoreError],
  [ReeveError, other.ReeveError],
  [Row, other.Row],
])
  assert.notEqual(mine, theirs, "both installations gave the same copy");
assert.ok(StoreError.is(new other.StoreError("stale", "of the other copy")));
assert.ok(ReeveError.is(new other.ReeveError("not_found")));
assert.ok(!StoreError.is(new Error("of nobody")) && !ReeveError.is(undefined) && !Row.is({ tenantId: "tnt_1" }));

/**
 * Reads a row, a page and a refusal by this copy's control plane on the other copy's store.
 * @param {import("@reeve/core").Store} store
 */
async function check(store) {
  const controlPlane = createControlPlane({
    store,
    masterKey: randomBytes(32),
    baseUrl: "http://localhost:3000",
    registration: "open",
  });
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, {
    body: { organization: "Acme", username: "ada@acme.example", password: "violet tram at noon" },
  });
  const ada = await controlPlane.principalOf(tenantId, userId);
  const created = await controlPlane.call("aiAssets.create", ada, { body: { name: "Support agent" } });
  const read = await controlPlane.call("aiAssets.read", ada, { params: { id: created.id } });
  assert.equal(read.name, "Support agent");
  assert.ok(!JSON.stringify(read).includes(tenantId), "a row of the other copy is served with its tenant id");
  const { items } = await controlPlane.call("aiAssets.list", ada);
  assert.equal(items.length, 1);
  const invite = { username: "grace@acme.example", password: "violet tram at noon" };
  await controlPlane.call("users.create", ada, { body: invite });
  const twice = await controlPlane.call("users.create", ada, { body: invite }).catch((error) => error);
  assert.ok(ReeveError.is(twice) && twice.status === 409, `a duplicate of the other copy is ${twice}`);
  await controlPlane.close();
}

const directory = mkdtempSync(join(tmpdir(), "reeve-copies-"));
try {
  await check(other.createMemoryStore());
  await check(require("@reeve/store-sqlite").createSqliteStore({ file: join(directory, "reeve.db") }));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
