import { collections } from "@reeve/core/reference";
import type { Scene } from "./scene.js";

/** Stores a record of access as jobs would. Returns its id. */
export async function store(
  scene: Scene,
  name: string,
  prefix: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<string> {
  const collection = collections.find((one) => one.name === name);
  if (!collection) throw new Error(`there is no collection ${name}`);
  const text = scene.unique();
  const number = text.split("-").at(-1) ?? "";
  const id = `${prefix}_${scene.tenantId.split("_")[1]?.slice(-16)}${number.padStart(10, "0")}`;
  const at = new Date(scene.clock.now()).toISOString();
  const marks = { createdAt: at, createdBy: "system", updatedAt: at, updatedBy: "system" };
  const record = { id, version: 1, name: text, metadata: { note: text }, ...marks, ...fields };
  await scene.store.forTenant(scene.tenantId).insert(collection, record as never);
  return id;
}

/** What internal records have none of. */
export const BARE = {
  ...{ name: undefined, metadata: undefined, createdBy: undefined, updatedAt: undefined, updatedBy: undefined },
} as const;

/** A stored record of access by its id. */
export async function storedRecord(scene: Scene, name: string, id: string): Promise<Record<string, unknown>> {
  const collection = collections.find((one) => one.name === name);
  const row = collection && (await scene.store.forTenant(scene.tenantId).get(collection, id));
  if (!row) throw new Error(`there is no ${id}`);
  return row.value as unknown as Record<string, unknown>;
}
