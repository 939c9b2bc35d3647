import type { ErrorClass } from "#connectors/index.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { hourOf, noCalls, sumOf, type Tally, tallyWith } from "./rules.js";
import { type ConnectorTraffic, connectorTraffic } from "./schema.js";

/** One finished call. */
export interface FinishedCall {
  readonly tenantId: string;
  readonly connectorInstanceId: string;
  readonly source: ConnectorTraffic["source"];
  readonly milliseconds: number;
  readonly failed?: ErrorClass;
}

type Key = Pick<ConnectorTraffic, "connectorInstanceId" | "source" | "hour">;

/** Calls of this process that are not stored yet. They are stored by `tick` and before a trend is read. */
class Unstored {
  readonly #tallies = new Map<string, Map<string, { readonly key: Key; tally: Tally }>>();

  note({ tenantId, connectorInstanceId, source, milliseconds, failed }: FinishedCall, nowMs: number): void {
    const key = { connectorInstanceId, source, hour: hourOf(nowMs) };
    const name = JSON.stringify(key);
    const ofTenant = this.#tallies.get(tenantId) ?? new Map<string, { readonly key: Key; tally: Tally }>();
    this.#tallies.set(tenantId, ofTenant);
    const entry = ofTenant.get(name) ?? { key, tally: noCalls() };
    entry.tally = tallyWith(entry.tally, milliseconds, failed);
    ofTenant.set(name, entry);
  }

  /** The tenants of calls that are not stored yet. */
  get tenantIds(): readonly string[] {
    return [...this.#tallies.keys()];
  }

  take(tenantId: string): { readonly key: Key; readonly tally: Tally }[] {
    const taken = [...(this.#tallies.get(tenantId)?.values() ?? [])];
    this.#tallies.delete(tenantId);
    return taken;
  }
}

const unstored = defineService("connectors.traffic", () => new Unstored());

/** Counts a finished call, without a write. A crash loses what was counted since the last `tick`. */
export function countCall(env: Environment, call: FinishedCall): void {
  env.use(unstored).note(call, env.clock.now());
}

/** Stores what was counted in this process. Returns how many hours were written. */
export async function storeTraffic(env: Environment, tenantId: string): Promise<number> {
  const taken = env.use(unstored).take(tenantId);
  if (taken.length === 0) return 0;
  await systemContext(env, tenantId, "traffic").write(async (ctx) => {
    for (const { key, tally } of taken) await add(ctx, key, tally);
  });
  return taken.length;
}

/** Stores what was counted in this process for all tenants. What cannot be stored is lost. */
export async function storeAllTraffic(env: Environment): Promise<number> {
  let stored = 0;
  for (const tenantId of env.use(unstored).tenantIds) {
    try {
      stored += await storeTraffic(env, tenantId);
    } catch (error) {
      env.logger.warn({ tenantId, error: String(error) }, "calls of connections could not be counted");
    }
  }
  return stored;
}

async function add(ctx: Context, key: Key, tally: Tally): Promise<void> {
  const held = (await ctx.db.lookup(connectorTraffic, "hour", { ...key }))?.value;
  if (held) await ctx.update(connectorTraffic, held, { ...sumOf([held, tally]) }, { event: false });
  else await ctx.insert(connectorTraffic, { ...key, ...tally }, { event: false });
}
