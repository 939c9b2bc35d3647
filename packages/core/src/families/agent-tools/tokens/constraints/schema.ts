import { z } from "#schema/z.js";
import { isPlainPath, prefixOf } from "./paths.js";

const list = <T extends z.ZodType<string>>(item: T) => z.array(item).min(1).max(100).nullable();

const Prefix = z
  .string()
  .max(1_000)
  .refine((path) => isPlainPath(prefixOf(path)), "A path from the root, without `..`, `.` and encoded parts.");

/** What narrows a token. Nothing here ever permits more. */
export const ToolConstraints = z.object({
  repositories: list(z.string().min(1).max(300)).meta({
    description: "Only these repositories, spelt as here; `null`: each that access permits.",
  }),
  branches: list(z.string().min(1).max(200)).meta({
    description: "Only these branches, `agent/*` for all that begin so; `null`: each.",
  }),
  pathPrefixes: list(Prefix).meta({ description: "Only files at and below these paths; `null`: each." }),
  readOnly: z.boolean().meta({ description: "Only tools that read." }),
  maxCalls: z
    .int()
    .min(1)
    .max(100_000)
    .nullable()
    .meta({ description: "How many calls; `null`: as many as it lasts." }),
  maxBytes: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .nullable()
    .meta({ description: "How many bytes of arguments and results; `null`: as many as it lasts." }),
});
export type ToolConstraints = z.output<typeof ToolConstraints>;

export const NO_CONSTRAINTS: ToolConstraints = {
  repositories: null,
  branches: null,
  pathPrefixes: null,
  readOnly: false,
  maxCalls: null,
  maxBytes: null,
};
