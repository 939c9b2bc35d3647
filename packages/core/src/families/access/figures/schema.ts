import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";

export const Figure = z.object({
  value: z.int().min(0).meta({ description: "The number that was counted." }),
  relation: z.enum(["exact", "atLeast"]).meta({ description: "`atLeast`: counting stopped at its bound." }),
  url: z.string().meta({ description: "The list that it counts." }),
});
export type Figure = z.output<typeof Figure>;

export const NamedFigure = Figure.extend({ key: z.string().meta({ description: "What is counted." }) });
export type NamedFigure = z.output<typeof NamedFigure>;

/** Extension point: numbers of other resources for the dashboard, each with the list that it counts. */
export const accessFigures = defineExtensionPoint<{
  readonly section: "drift" | "requests";
  /** `null`: nobody knows. */
  readonly read: (ctx: ReadContext) => Promise<readonly NamedFigure[] | null>;
}>("access.figures");
