import {
  type BuiltinFramework,
  builtinFramework,
  builtinFrameworks,
  type FrameworkControl,
} from "#frameworks/index.js";
import { canonical } from "#kernel/events/canonical.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { sha256 } from "#store/chain.js";
import { type Adoption, adoptions } from "../../adoptions/schema.js";
import { type Framework, type FrameworkSummary, type OwnFramework, ownFrameworks } from "../schema.js";

/** The most frameworks that a tenant may upload. */
export const MOST_FRAMEWORKS = 50;

const builtin = new Map<string, Framework>();

function ofBuiltin(framework: BuiltinFramework): Framework {
  const made = builtin.get(framework.key) ?? { ...framework, ...facts(framework.controls), builtin: true };
  builtin.set(framework.key, made);
  return made;
}

export function ofOwn({
  id,
  createdAt: _1,
  createdBy: _2,
  updatedAt: _3,
  updatedBy: _4,
  ...rest
}: OwnFramework): Framework {
  return { key: id, ...rest, ...facts(rest.controls), builtin: false };
}

const facts = (controls: readonly FrameworkControl[]) => ({
  controlCount: controls.length,
  digest: sha256(canonical(controls)),
});

/** A built-in framework or one of the tenant's own. `undefined` when none has this key. */
export async function findFramework(ctx: ReadContext, key: string): Promise<Framework | undefined> {
  const given = await builtinFramework(key);
  if (given) return ofBuiltin(given);
  const row = await ctx.db.get(ownFrameworks, key);
  return row && ofOwn(row.value);
}

/** The ids of the controls of a framework. `undefined` when none has this key. */
export async function controlsOf(ctx: ReadContext, key: string): Promise<ReadonlySet<string> | undefined> {
  const framework = await findFramework(ctx, key);
  return framework && new Set(framework.controls.map(({ id }) => id));
}

/** All frameworks: built-in ones first, then the tenant's own by key. */
export async function allFrameworks(ctx: ReadContext): Promise<Framework[]> {
  const own = await ctx.db.scan(ownFrameworks, { size: MOST_FRAMEWORKS });
  return [...(await builtinFrameworks()).map(ofBuiltin), ...own.map((row) => ofOwn(row.value))];
}

/** The adoptions of frameworks, by key. */
export async function allAdoptions(ctx: ReadContext): Promise<Adoption[]> {
  const builtins = await builtinFrameworks();
  const rows = await ctx.db.scan(adoptions, { size: MOST_FRAMEWORKS + builtins.length });
  return rows.map((row) => row.value);
}

/** The frameworks that count for the tenant, with its roles: the adopted ones, or all where none is adopted. */
export async function countedFrameworks(ctx: ReadContext): Promise<(Framework & { roles: Adoption["roles"] })[]> {
  const all = await allFrameworks(ctx);
  const adopted = new Map((await allAdoptions(ctx)).map(({ id, roles }) => [id, roles]));
  if (adopted.size === 0) return all.map((each) => ({ ...each, roles: [] }));
  return all.flatMap((each) => {
    const roles = adopted.get(each.key);
    return roles ? [{ ...each, roles }] : [];
  });
}

/** One control with its framework. */
export async function findControl(
  ctx: ReadContext,
  key: string,
  controlId: string,
): Promise<{ readonly framework: Framework; readonly control: FrameworkControl | undefined } | undefined> {
  const framework = await findFramework(ctx, key);
  return framework && { framework, control: framework.controls.find(({ id }) => id === controlId) };
}

export function summaryOf({ controls: _, ...summary }: Framework): FrameworkSummary {
  return summary;
}
