import type { ConnectorState } from "#connectors/context.js";
import { ConnectorError } from "#connectors/error.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { instanceStates } from "./state-schema.js";

const KEY_LENGTH = 200;
const VALUE_BYTES = 65_536;
/** The most keys of one instance. */
const KEYS = 1_000;

/** What an instance remembers, in the store. */
export function storedState(env: Environment, tenantId: string, instanceId: string): ConnectorState {
  const found = (key: string) => env.store.forTenant(tenantId).lookup(instanceStates, "key", { instanceId, key });
  return {
    async get(key) {
      const row = await found(key);
      return row === undefined ? undefined : (JSON.parse(row.value.content) as unknown);
    },
    async put(key, value) {
      const content = contentOf(key, value);
      await systemContext(env, tenantId, "connector").write((ctx) => keep(ctx, instanceId, key, content));
    },
    async delete(key) {
      if ((await found(key)) === undefined) return;
      await systemContext(env, tenantId, "connector").write(async (ctx) => {
        const held = await ctx.db.lookup(instanceStates, "key", { instanceId, key });
        if (held) await ctx.remove(instanceStates, held.value);
      });
    },
  };
}

/** What is remembered during one test of settings that are not stored. */
export function passingState(): ConnectorState {
  const held = new Map<string, string>();
  return {
    async get(key) {
      const content = held.get(key);
      return content === undefined ? undefined : (JSON.parse(content) as unknown);
    },
    async put(key, value) {
      held.set(key, contentOf(key, value));
    },
    async delete(key) {
      held.delete(key);
    },
  };
}

async function keep(ctx: Context, instanceId: string, key: string, content: string): Promise<void> {
  const held = (await ctx.db.lookup(instanceStates, "key", { instanceId, key }))?.value;
  if (held) {
    await ctx.update(instanceStates, held, { content });
    return;
  }
  const { count } = await ctx.db.count(instanceStates, { where: { instanceId } });
  if (count >= KEYS) throw wrong(`The connector remembers more than ${KEYS} keys.`);
  await ctx.insert(instanceStates, { instanceId, key, content });
}

/** Deletes all that an instance remembers. */
export async function dropStates(ctx: Context, instanceId: string): Promise<void> {
  const { rows } = await ctx.db.find(instanceStates, { where: { instanceId }, size: KEYS });
  for (const { value } of rows) await ctx.remove(instanceStates, value);
}

function contentOf(key: string, value: unknown): string {
  if (key.length === 0 || key.length > KEY_LENGTH) throw wrong(`Keys have 1 to ${KEY_LENGTH} characters.`);
  const content: string | undefined = JSON.stringify(value);
  if (content === undefined) throw wrong("Values are JSON.");
  if (Buffer.byteLength(content) > VALUE_BYTES) throw wrong(`Values take at most ${VALUE_BYTES} bytes.`);
  return content;
}

const wrong = (message: string) => new ConnectorError("fatal", message, { code: "state_limit" });
