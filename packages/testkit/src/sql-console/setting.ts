import { collections } from "@reeve/core/reference";
import type { Store, StoredCollection } from "@reeve/core/store";
import { PLATFORM_TENANT } from "@reeve/core/testing";
import type { Answer } from "../world/client.js";
import { createWorld, type World } from "../world/world.js";

/** A person of the provider with the console, and the secrets that no answer may contain. */
export interface ConsoleSetting extends World {
  readonly secrets: readonly string[];
  ask(configuration: object, more?: object): Promise<Answer>;
}

const PATH = "/api/v1/support/sql";
const REASON = "looking into a report of a customer";

/** A world with the console on and its provider signed in. */
export async function prepareConsole(store: Store): Promise<ConsoleSetting> {
  const world = await createWorld({ store, sqlConsole: true });
  const key = "3f0e6c1a-kept-answer";
  const body = { name: "an answer that is kept", metadata: { note: "kept-answer-canary" } };
  const { owner } = world.a;
  await world.send("POST", "/api/v1/ai-assets", { token: owner.token, body, headers: { "idempotency-key": key } });
  const tenants = [PLATFORM_TENANT, world.provider.tenantId, world.a.tenantId, world.b.tenantId];
  return {
    ...world,
    secrets: await secretsOf(store, tenants),
    ask: (configuration, more = {}) =>
      world.send("POST", PATH, { token: world.provider.owner.token, body: { configuration, reason: REASON, ...more } }),
  };
}

/** Every secret value of the collections, as stored in the database. */
async function secretsOf(store: Store, tenants: readonly string[]): Promise<string[]> {
  const secrets: string[] = [];
  for (const collection of collections.filter(({ secrets: declared }) => (declared ?? []).length > 0)) {
    for (const tenantId of tenants) {
      for (const { value } of await store.forTenant(tenantId).scan(collection, { size: 1_000 })) {
        const record = value as unknown as Readonly<Record<string, unknown>>;
        for (const property of collection.secrets ?? []) {
          const secret = record[property];
          if (typeof secret === "string" && secret.length > 0) secrets.push(secret);
        }
      }
    }
  }
  return secrets;
}

export function named(name: string): StoredCollection {
  const collection = collections.find((candidate) => candidate.name === name);
  if (!collection) throw new Error(`there is no collection ${name}`);
  return collection;
}
