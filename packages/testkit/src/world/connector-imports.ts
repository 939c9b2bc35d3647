import { collections } from "@reeve/core/reference";
import { instanceBody, newInstance } from "./connectors.js";
import type { Sample } from "./sample.js";
import type { Scene } from "./scene.js";

const ON_IT = "2026-01-06T09:00:00.000Z";
/** SHA-256 of a plan without lines. */
const EMPTY_PLAN = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Sets up a connection that is in use, without a test. Returns its id. */
export const newActiveInstance = (scene: Scene, more: Readonly<Record<string, unknown>> = {}) =>
  newInstance(scene, { status: "active", skipTest: true, reason: "There is no other system.", ...more });

/** Begins an import. Returns where it is. */
export async function newImport(scene: Scene): Promise<{ readonly id: string; readonly importId: string }> {
  const id = await newActiveInstance(scene);
  const { token } = scene.owner;
  const begun = await scene.send("POST", `/api/v1/integrations/${id}/imports`, {
    token,
    body: { name: scene.unique() },
  });
  if (begun.status !== 201) throw new Error(begun.text);
  return { id, importId: begun.json.id };
}

/** A connection that was tested and imported from, and is out of use, so that no job concerns it. */
export async function newUsedInstance(scene: Scene): Promise<void> {
  const { id, importId } = await newImport(scene);
  const { token } = scene.owner;
  const body = { reason: "The wrong account was connected.", status: "disabled" };
  const path = `/api/v1/integrations/${id}`;
  for (const [method, at, given] of [
    ["POST", `${path}/imports/${importId}/cancel`, { reason: body.reason }],
    ["POST", `${path}/diagnostics/run`, { reason: scene.unique() }],
    ["PATCH", `/api/v1/connector-instances/${id}`, body],
  ] as const) {
    const done = await scene.send(method, at, { token, body: given, headers: { "if-match": "*" } });
    if (done.status >= 300) throw new Error(done.text);
  }
}

/** An import whose plan, which has no lines, waits for a confirmation. Stored as it is, because jobs make plans. */
export async function newPlannedImport(scene: Scene) {
  const made = await newImport(scene);
  const tenant = scene.store.forTenant(scene.tenantId);
  const imports = collections.find(({ name }) => name === "connector_imports");
  const row = imports && (await tenant.get(imports, made.importId));
  if (!row) throw new Error(`there is no import ${made.importId}`);
  const planned = { status: "awaiting_confirmation", planHash: EMPTY_PLAN, complete: true, expiresAt: ON_IT };
  await tenant.replace(imports, { ...row.value, ...planned, version: row.version + 1 }, row.value);
  await noteListed(scene, made);
  return made;
}

/** Notes which system was listed for a plan, as the job does that makes it. */
async function noteListed(scene: Scene, { id, importId }: Awaited<ReturnType<typeof newImport>>): Promise<void> {
  const tenant = scene.store.forTenant(scene.tenantId);
  const runs = collections.find(({ name }) => name === "connector_import_runs");
  const run = runs && (await tenant.lookup(runs, "import", { importId }));
  const shown = await scene.send("GET", `/api/v1/connector-instances/${id}`, { token: scene.owner.token });
  if (!run) throw new Error(`there is no run of ${importId}`);
  const target = `target target of ${shown.json.configuration.account}`;
  await tenant.replace(runs, { ...run.value, target, dueAt: null, version: run.version + 1 } as never, run.value);
}

const anInstance = async (scene: Scene) => ({ id: await newActiveInstance(scene) });

async function aTest(scene: Scene) {
  const id = await newActiveInstance(scene);
  const run = await scene.send("POST", `/api/v1/integrations/${id}/diagnostics/run`, { token: scene.owner.token });
  if (run.status !== 201) throw new Error(run.text);
  return { id, runId: run.json.id };
}

const aTested = async (scene: Scene) => ({ id: (await aTest(scene)).id });

/** The samples of imports, diagnostics, trends and the older catalogue. */
export const connectorWorkSamples = {
  "integrations.runDiagnostics": { arrange: anInstance, body: () => ({ reason: "The key was replaced." }) },
  "integrations.listDiagnostics": { arrange: anInstance },
  "integrations.latestDiagnostics": { arrange: aTested },
  "integrations.readDiagnostics": { arrange: aTest },
  "integrations.healthTrend": { arrange: anInstance },
  "integrations.import": { arrange: anInstance, body: (scene) => ({ name: scene.unique() }) },
  "integrations.previewImport": { arrange: anInstance, body: (scene) => ({ name: scene.unique() }) },
  "integrations.listImports": { arrange: anInstance },
  "integrations.readImport": { arrange: newImport },
  "integrations.listImportItems": { arrange: newImport },
  "integrations.confirmImport": { arrange: newPlannedImport, body: () => ({ planHash: EMPTY_PLAN }) },
  "integrations.cancelImport": { arrange: newImport, body: () => ({ reason: "The wrong account was connected." }) },
  "catalog.list": {},
  "catalog.listCategories": {},
  "catalog.testDraft": {
    body(scene) {
      const { providerKey, configuration, secrets } = instanceBody(scene);
      return { providerKey, configuration, secrets };
    },
  },
  "catalog.listInstances": {},
  "catalog.createInstance": { body: (scene) => instanceBody(scene) },
  "catalog.readInstance": { arrange: anInstance },
  "catalog.replaceInstance": { arrange: anInstance, body: (scene) => ({ name: scene.unique() }) },
  "catalog.deleteInstance": { arrange: anInstance },
  "catalog.pipeline": {},
  "catalog.assets": { arrange: anInstance },
  "catalog.audit": { arrange: anInstance },
  "catalog.capabilities": { arrange: anInstance },
  "catalog.discover": { arrange: anInstance, body: (scene) => ({ name: scene.unique() }) },
  "catalog.health": { arrange: anInstance },
  "catalog.import": { arrange: anInstance, body: (scene) => ({ name: scene.unique() }) },
  "catalog.testConnection": { arrange: anInstance, body: () => ({ reason: "The key was replaced." }) },
} as const satisfies Readonly<Record<string, Sample>>;
