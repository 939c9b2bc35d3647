import { refusedDeciders } from "#families/accountability/index.js";
import { holdersOf } from "#families/identity/index.js";
import { ById } from "#kernel/operation/crud.js";
import { involvedIn } from "#kernel/operation/four-eyes.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { z } from "#schema/z.js";
import { faultsOf } from "../check-policy.js";
import { holdsBack } from "../fields.js";
import { policies } from "../schema.js";

const Activation = z
  .object({
    holdsBack: z
      .boolean()
      .meta({ description: "Whether it gates promotions, denies actions or has them approved, so that it takes two." }),
    hindrances: z.array(z.string()).meta({ description: "What must be mended before it can be put in force." }),
    people: z
      .array(
        z.object({
          id: z.string().meta({ description: "Id of the user." }),
          name: z.string().meta({ description: "Name of the user." }),
          mayDecide: z.boolean().meta({ description: "Whether this person would not be refused." }),
          conflict: z.string().nullable().meta({ description: "Why not, in words." }),
        }),
      )
      .meta({ description: "Who holds the permission." }),
    complete: z.boolean().meta({ description: "Whether these are all who hold it." }),
  })
  .meta({ id: "PolicyActivation" });

export const readActivation = defineOperation({
  id: "aiGovernancePolicies.activation",
  method: "GET",
  path: "/api/v1/ai-governance/policies/{id}/activation",
  tag: "AI Governance",
  extension: true,
  summary: "Tell what putting a policy in force takes, and who may",
  description:
    "Of a policy that holds something back, those who wrote or changed it, or ask for it, are refused, each with the conflict in words. It is for whom to ask: the activation itself is checked when it is made.",
  access: { permission: "ai-policy:read", capability: "ai_governance" },
  params: ById,
  success: { status: 200, schema: Activation },
  async handler(ctx, { params }) {
    const policy = await ctx.getOrThrow(policies, params.id);
    const { people, complete } = await holdersOf(ctx, "ai-policy:activate");
    const takesTwo = holdsBack(policy) || policy.pending !== null;
    const asks = policy.pending ? [policy.pending.by] : [];
    const refused = takesTwo
      ? await refusedDeciders(ctx, people, [...new Set([...involvedIn(policy).ids, ...asks])])
      : new Map<string, string>();
    const faults = await faultsOf(ctx.env, policy);
    return {
      holdsBack: holdsBack(policy),
      hindrances: policy.tests.length === 0 ? ["It has no tests."] : faults.map(({ message }) => message),
      people: people.map(({ id, name }) => {
        const conflict = refused.get(id) ?? null;
        return { id, name, mayDecide: conflict === null, conflict };
      }),
      complete,
    };
  },
});
