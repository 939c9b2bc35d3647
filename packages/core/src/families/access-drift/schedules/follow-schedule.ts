import { type ConnectorInstance, instances } from "#families/connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { defineFollower } from "#kernel/operation/area.js";
import { intervalOf, type Reading } from "./rules.js";
import { accessSchedules } from "./schema.js";

const rhythmOf = (env: Environment, instance: ConnectorInstance | undefined, reading: Reading) =>
  instance && intervalOf(env, instance, reading);

/** Has a connection read at once when it becomes active, and from then on as its schedule says. */
export const followSchedules = defineFollower(instances, async (ctx, { before, after }) => {
  const { env } = ctx;
  const changed = (["sync", "driftScan"] as const).filter(
    (reading) => rhythmOf(env, before, reading) !== rhythmOf(env, after, reading),
  );
  if (changed.length === 0 && after) return;
  const id = (after ?? before)?.id as string;
  const held = (await ctx.db.lookup(accessSchedules, "instance", { connectorInstanceId: id }))?.value;
  if (!after) {
    if (held) await ctx.remove(accessSchedules, held);
    return;
  }
  const next = Object.fromEntries(
    changed.map((reading) => [`${reading}At`, rhythmOf(env, after, reading) === undefined ? null : ctx.now]),
  );
  if (held) await ctx.update(accessSchedules, held, next);
  else await ctx.insert(accessSchedules, { connectorInstanceId: id, syncAt: null, driftScanAt: null, ...next });
});
