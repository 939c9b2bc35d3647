import type { SecretSource } from "#connectors/call/parts.js";
import { ConnectorError } from "#connectors/error.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { openSecrets, type SecretValues, sealSecrets, storeSecrets } from "../../instances/instance-secrets.js";
import { instances } from "../../instances/schema.js";
import { type InstanceSecrets, instanceSecrets } from "../../instances/secret-schema.js";

/** How long a process may refresh secrets before another takes over, in milliseconds. No call takes longer. */
const LEASE = 70_000;
/** How often a process asks whether another has finished, and how many times. */
const PAUSE = 50;
const ASKED = LEASE / PAUSE;

/** Names of the work that refreshes, by instance, so that one process refreshes once at a time. */
const refreshing = defineService("connectors.refreshing", () => new Map<string, Promise<unknown>>());

/** The secrets of a stored instance. Each read sees what other processes have stored. */
export function storedSecrets(env: Environment, tenantId: string, instanceId: string): SecretSource {
  return {
    async read() {
      const { values, row } = await openSecrets(env, tenantId, instanceId);
      return { values, version: row?.revision ?? 0 };
    },
    replace: (patch, version) => replaceSecrets(env, tenantId, instanceId, patch, version),
    exclusively: (work) => inTurn(env, `${tenantId} ${instanceId}`, () => leased(env, tenantId, instanceId, work)),
  };
}

/** Secrets in memory, with what became of them. */
export type PassingSecrets = SecretSource & { readonly values: () => SecretValues };

/** Secrets that are in memory only, for a test of settings that are not stored. */
export function passingSecrets(given: SecretValues): PassingSecrets {
  let [values, version] = [given, 1];
  return {
    values: () => values,
    read: async () => ({ values, version }),
    async replace(patch) {
      values = { ...values, ...patch };
      version += 1;
    },
    exclusively: (work) => work(),
  };
}

async function replaceSecrets(
  env: Environment,
  tenantId: string,
  instanceId: string,
  patch: SecretValues,
  version: number,
): Promise<void> {
  const { values, row } = await openSecrets(env, tenantId, instanceId);
  if (!row || row.revision !== version) throw changed();
  const ctx = systemContext(env, tenantId, "connector");
  const sealed = await sealSecrets(ctx, { ...values, ...patch }, row);
  const names = Object.keys(patch).sort();
  await ctx.write(async (inner) => {
    const held = (await inner.db.lookup(instanceSecrets, "instance", { instanceId }))?.value;
    if (held?.revision !== version) throw changed();
    await storeSecrets(inner, instanceId, sealed);
    const instance = await inner.getOrThrow(instances, instanceId);
    const dates = Object.fromEntries(names.map((name) => [name, { set: true, updatedAt: inner.now }]));
    const event = { type: "connector.secrets.refreshed", data: { names } };
    const secrets = { ...instance.secrets, ...dates };
    await inner.update(instances, instance, { secrets }, { event, stamp: false, touch: true });
  });
}

const changed = () =>
  new ConnectorError("conflict", "The secrets were changed by somebody else.", { code: "secrets_changed" });

async function inTurn<T>(env: Environment, key: string, work: () => Promise<T>): Promise<T> {
  const running = env.use(refreshing);
  const before = running.get(key) ?? Promise.resolve();
  const turn = before.then(work, work);
  running.set(key, turn);
  try {
    return await turn;
  } finally {
    if (running.get(key) === turn) running.delete(key);
  }
}

async function leased<T>(env: Environment, tenantId: string, instanceId: string, work: () => Promise<T>): Promise<T> {
  const holder = `${process.pid}-${env.ids.next(env.clock.now())}`;
  const mark = (change: (row: InstanceSecrets, now: string) => Partial<InstanceSecrets> | undefined) =>
    systemContext(env, tenantId, "connector").write(async (ctx) => {
      const held = await ctx.db.lookup(instanceSecrets, "instance", { instanceId });
      const patch = held && change(held.value, ctx.now);
      if (held && patch) await ctx.update(instanceSecrets, held.value, patch);
      return !held || patch !== undefined;
    });
  const take = () =>
    mark(({ leasedBy, leasedUntil }, now) =>
      leasedBy === null || (leasedUntil ?? "") <= now
        ? { leasedBy: holder, leasedUntil: timestamp(env.clock.now() + LEASE) }
        : undefined,
    );
  for (let asked = 0; !(await take()); asked += 1) {
    if (asked === ASKED) throw new ConnectorError("transient", "Another process refreshes.", { code: "refresh_busy" });
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  try {
    return await work();
  } finally {
    await mark(({ leasedBy }) => (leasedBy === holder ? { leasedBy: null, leasedUntil: null } : undefined));
  }
}
