import { AnyObject } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";

const Id = z.string().max(200);

export const RuntimeTestRequest = z
  .strictObject({
    connectorInstanceId: Id.optional().meta({ description: "The target; any when absent." }),
    accessProfileId: Id.optional().meta({ description: "The kind of access; any when absent." }),
    tool: z.string().min(1).max(200).optional().meta({ description: "The tool; none when absent." }),
    arguments: AnyObject.optional().meta({ description: "The arguments of the call." }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
    execute: z.boolean().optional().meta({ description: "Run it, if it only reads." }),
  })
  .meta({ id: "RuntimeTestRequest", example: { execute: false } });
export type RuntimeTestRequest = z.output<typeof RuntimeTestRequest>;

export const STEPS = [
  ...["asset", "identity", "assignment", "policy", "token", "tool", "constraints", "connector", "target"],
] as const;
export type StepName = (typeof STEPS)[number];

export const RuntimeTest = z
  .object({
    verdict: z.enum(["pass", "fail", "blocked"]).meta({
      description: "`blocked`: it is not permitted. `fail`: it is, and the target does not work.",
    }),
    steps: z
      .array(
        z.object({
          name: z.enum(STEPS as unknown as [StepName, ...StepName[]]).meta({ description: "What was looked at." }),
          status: z.enum(["pass", "fail", "skip"]).meta({ description: "What was found." }),
          code: z.string().optional().meta({ description: "The reason why not, as a code." }),
          message: z.string().meta({ description: "The same in words." }),
          remediation: z.string().optional().meta({ description: "What mends the failure." }),
          latencyMs: z.int().optional().meta({ description: "How long the target took." }),
        }),
      )
      .meta({ description: "In the order of a real call. After a failure the rest is skipped." }),
    usageId: z.string().nullable().meta({ description: "Id of the use, which counts nowhere." }),
  })
  .meta({ id: "RuntimeTest" });
export type RuntimeTest = z.output<typeof RuntimeTest>;
export type Step = RuntimeTest["steps"][number];
