import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../client.js";
import { Unexpected } from "../expectation.js";
import type { ConnectorInstance, List, Offered } from "../wire.js";
import type { System } from "./system.js";

const API = "/api/v1";
/** How long something may take that jobs do, in ms: they run some seconds after each other. */
const PATIENCE = 150_000;

/** Connects a system under access governance and reads what it has. Returns the id of the connection. */
export async function govern(
  ada: Client,
  { name, ...rest }: Pick<System, "name" | "providerKey"> & Partial<Pick<System, "configuration" | "secrets">>,
): Promise<string> {
  const { providerKey, configuration, secrets } = rest;
  const body = { name: `${name}, governed`, providerKey, configuration, secrets };
  const connected = { ...body, status: "active", governanceMode: "managed" };
  const { body: instance } = await ada.post<ConnectorInstance>(`${API}/connector-instances`, connected);
  const target = `${API}/access-targets/${instance.id}`;
  const { body: sync } = await ada.post<{ id: string }>(`${target}/resources/sync`, {}, { expect: 200 });
  await until(`${name} is read`, () => read<{ status: string }>(ada, `${target}/syncs/${sync.id}`), "complete");
  return instance.id;
}

export const read = async <T>(client: Client, path: string) => (await client.get<T>(path)).body;

/** A resource or a profile of a target, by its id there or by the end of its name. */
export async function offered(client: Client, path: string, wanted: string): Promise<Offered> {
  const { items } = await read<List<Offered>>(client, `${path}&size=100`);
  const found = items.find(({ name, externalId }) => externalId === wanted || name.split(".").at(-1) === wanted);
  if (found) return found;
  const names = items.map(({ name }) => name);
  throw new Unexpected(`the target has ${wanted}`, wanted, names);
}

/** Waits until jobs have brought something to a state. */
export async function until<T extends { readonly status: string }>(
  what: string,
  look: () => Promise<T>,
  status: string,
): Promise<T> {
  for (const deadline = Date.now() + PATIENCE; ; await sleep(250)) {
    const seen = await look();
    if (seen.status === status) return seen;
    if (Date.now() > deadline) throw new Unexpected(what, status, seen);
  }
}
