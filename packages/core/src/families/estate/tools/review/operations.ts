import type { Context } from "#kernel/operation/context.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { doItems } from "#kernel/pipeline/batch/within-request.js";
import type { BatchTurn } from "#kernel/pipeline/batch/work.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { z } from "#schema/z.js";
import { isIdOf } from "#store/collection.js";
import { Sha256 } from "../../assets/fields.js";
import { Tool, ToolFields, tools } from "../schema.js";
import { reviewTool } from "./review.js";

/** The most tools of one request. */
const MOST = 100;
const MANY = "aiTools.reviewMany";

const shared = {
  method: "POST",
  tag: "AI Tools",
  access: { permission: "ai-tool:approve", capability: "ai_registry" },
  extension: true,
} as const;
const errors = [
  "invalid_transition",
  "transition_guard_failed",
  "missing_reason",
  "self_approval_forbidden",
  "precondition_failed",
  "precondition_required",
] as const;

const { effects, requiresApproval } = ToolFields.partial().shape;

const ToolReview = z
  .strictObject({
    status: z.enum(["approved", "blocked", "pending_review"]).meta({ description: "What is decided." }),
    digest: Sha256.optional().meta({ description: "`pin.current` of what was reviewed, in place of `If-Match`." }),
    effects,
    requiresApproval,
    reason: GenericBody.shape.reason,
  })
  .meta({
    id: "AiToolReview",
    example: { status: "blocked", reason: "It sends what it reads to a stranger." },
  });

export const reviewOneTool = defineOperation({
  ...shared,
  id: "aiTools.review",
  stops: true,
  path: "/api/v1/ai/tools/{id}/review",
  summary: "Approve or block a tool as a reviewer, and say what calling it may do",
  description:
    "An approval names what was seen, by `digest` or `If-Match`, and takes somebody without a conflict of interest in the tool. Effects are said with an approval and a reason.",
  params: ById,
  body: ToolReview,
  success: { status: 200, schema: Tool },
  errors,
  handler: async (ctx, { params, body }) => reviewTool(ctx, await ctx.getForUpdate(tools, params.id), body),
});

const Count = z.int().min(0);
const Reviewed = z
  .object({
    reviewed: Count.meta({ description: "Tools that were decided about." }),
    failed: Count.meta({ description: "Items that were refused." }),
    items: z
      .array(
        z.object({
          id: z.string().meta({ description: "Id of the tool." }),
          status: Tool.shape.status.nullable().meta({ description: "Its status now; `null`: refused." }),
          problem: z
            .object({
              code: z.string().meta({ description: "Code of the problem." }),
              detail: z.string().meta({ description: "What went wrong." }),
            })
            .nullable()
            .meta({ description: "Why it was refused." }),
        }),
      )
      .meta({ description: "Results in the order of the request." }),
  })
  .meta({ id: "AiToolReviews" });

const Item = ToolReview.extend({ id: z.string().max(64).meta({ description: "Id of the tool." }) });
type Item = z.output<typeof Item>;

export const reviewManyTools = defineOperation({
  ...shared,
  id: MANY,
  stops: true,
  path: "/api/v1/ai/tools/review",
  summary: "Decide about many tools as a reviewer",
  description: `At most ${MOST}. Each is decided or refused by itself.`,
  body: z
    .strictObject({
      items: z.array(Item).min(1).max(MOST).meta({ description: "Each as in the review of one." }),
      reason: GenericBody.shape.reason.meta({ description: "For items that give none." }),
    })
    .meta({
      id: "AiToolReviewsRequest",
      example: { items: [{ id: "tol_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", status: "blocked", reason: "It is not needed." }] },
    }),
  success: { status: 200, schema: Reviewed },
  async handler(ctx, { body: { items, reason } }) {
    const inputs = items.map((item, index) => ({ index, input: { ...item, reason: item.reason ?? reason } }));
    const prepared = { items: inputs, refused: [] };
    const outcomes = await doItems(ctx, MANY, { open }, prepared, false);
    const shown = outcomes.map(({ index, value, error }) => ({
      id: (items[index] as Item).id,
      status: value ?? null,
      problem: error ? { code: error.code, detail: error.message } : null,
    }));
    const failed = outcomes.filter(({ error }) => error).length;
    return { reviewed: shown.length - failed, failed, items: shown };
  },
});

/** One query for all tools. What was seen of each is its digest. */
async function open(ctx: Context, items: readonly Item[]): Promise<BatchTurn<Item, Tool["status"]>> {
  await ctx.db.getMany(
    tools,
    items.map(({ id }) => id).filter((id) => isIdOf(tools, id)),
  );
  return { one: reviewItem, facts: () => ({ ifMatch: undefined }) };
}

async function reviewItem(ctx: Context, { id, ...decision }: Item): Promise<Tool["status"]> {
  return (await reviewTool(ctx, await ctx.getOrThrow(tools, id), decision)).status;
}
