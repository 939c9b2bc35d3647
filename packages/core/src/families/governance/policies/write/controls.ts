import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { PolicyFault } from "../compile/compile.js";
import type { Rule } from "../fields.js";

/** The ids of the controls of a framework. `undefined` for an unknown framework. */
export type ControlsOf = (ctx: ReadContext, framework: string) => Promise<ReadonlySet<string> | undefined>;

/** Extension point: the frameworks that rules can name controls of. */
export const controlCatalogs = defineExtensionPoint<ControlsOf>("governance.controlCatalogs");

/** The faults of rules that name controls of no framework. Those that the policy had before are left alone. */
export async function controlFaults(
  ctx: ReadContext,
  rules: readonly Rule[],
  before: readonly Rule[] = [],
): Promise<PolicyFault[]> {
  const held = new Set(before.flatMap(({ controls }) => controls));
  const named = rules.flatMap(({ controls }, at) =>
    controls.map((control, place) => ({ control, pointer: `/rules/${at}/controls/${place}` })),
  );
  const known = new Map<string, ReadonlySet<string>>();
  const faults: PolicyFault[] = [];
  for (const { control, pointer } of named) {
    if (held.has(control)) continue;
    const [framework = "", id = ""] = control.split(":");
    const ids = known.get(framework) ?? (await idsOf(ctx, framework));
    known.set(framework, ids);
    if (!ids.has(id)) faults.push({ pointer, code: "unknown_control", message: `There is no control "${control}".` });
  }
  return faults;
}

async function idsOf(ctx: ReadContext, framework: string): Promise<ReadonlySet<string>> {
  for (const controlsOf of ctx.env.use(controlCatalogs)) {
    const found = await controlsOf(ctx, framework);
    if (found) return found;
  }
  return new Set();
}
