import { optionsOf } from "../families/options.js";
import { dueMarks, PLATFORM_TENANT, platformGates, STATE_LIFETIME } from "../families/platform/index.js";
import type { Environment } from "../kernel/config/environment.js";
import { storeOf } from "../kernel/config/store-access.js";
import { dueRules } from "../kernel/operation/dues.js";
import { systemContext } from "../kernel/operation/system-context.js";
import { dayOf } from "../ports/clock.js";
import { sha256 } from "../store/chain.js";
import { everyTenant } from "./every-tenant.js";

const BATCH = 500;

/**
 * Makes every tenant due after what no write of a tenant tells: a first start, an upgrade, other options, other kill
 * switches. The switches count twice, because for some seconds other processes do not know of a change. A new day makes
 * every tenant due as well, so that none is forgotten for longer whatever the stored times say.
 */
export async function dueEverywhere(env: Environment, at: string): Promise<void> {
  const inForce = [
    { id: "sweep", digest: dayOf(at), again: false },
    { id: `start:${startDigest(env)}`, digest: "", again: false },
    {
      id: "switches",
      digest: sha256([...(await env.use(platformGates).engagedSwitches())].sort().join()),
      again: true,
    },
  ];
  const held = new Map(
    (
      await env.store.forTenant(PLATFORM_TENANT).getMany(
        dueMarks,
        inForce.map(({ id }) => id),
      )
    ).map((row) => [row.id, row.value]),
  );
  const repeated = (mark: { again: boolean; at: string }) =>
    mark.again && Date.parse(at) - Date.parse(mark.at) >= 2 * STATE_LIFETIME;
  const changed = inForce.flatMap((mark) => {
    const known = held.get(mark.id);
    if (known?.digest !== mark.digest) return [mark];
    return repeated(known) ? [{ ...mark, again: false }] : [];
  });
  if (changed.length === 0) return;
  await lowerAll(env, at);
  await systemContext(env, PLATFORM_TENANT, "tick").write(async (ctx) => {
    for (const mark of changed) {
      const known = (await ctx.db.get(dueMarks, mark.id))?.value;
      if (known) await ctx.update(dueMarks, known, { ...mark, at });
      else await ctx.insert(dueMarks, { ...mark, at });
    }
  });
}

/** What decides when something is due, beside records: the rules, the options and which ports there are. */
function startDigest(env: Environment): string {
  const { anchor, checkpointHours, checkpointKey, signingAlgorithm, signingKeyDays, timestampUrl } = optionsOf(env);
  const rules = env
    .use(dueRules)
    .all.map((due) =>
      "by" in due
        ? [due.collection.name, due.by, due.where, due.after ? (due.after(env) ?? "never") : 0]
        : [due.watches?.map(({ name }) => name), due.watchesEvents?.(env, undefined)],
    );
  const options = [
    anchor !== undefined,
    checkpointKey !== undefined,
    checkpointHours,
    signingAlgorithm,
    signingKeyDays,
    timestampUrl !== undefined,
  ];
  return sha256(JSON.stringify([rules, options])).slice(0, 32);
}

async function lowerAll(env: Environment, at: string): Promise<void> {
  let some: string[] = [];
  const { dues } = storeOf(env);
  for await (const tenantId of everyTenant(env.store)) {
    some.push(tenantId);
    if (some.length < BATCH) continue;
    await dues.lower(some, at);
    some = [];
  }
  await dues.lower(some, at);
}
