import { type Ask, askFurther, type DecisionApproval, decisionApprovals } from "#families/governance/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { refuseUnfit } from "#kernel/http/free-values.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { openEvaluation } from "./denial.js";
import type { Submission } from "./fields.js";
import { type AuthzenTask, authzenTasks } from "./schema.js";

/** How long a task can be read after the last of what it waits for has ended. */
const READABLE = hoursMs(12);
const LONGEST = 2_000;

/** An item of a submission, with the parts that it takes from the top level. */
type Item = Pick<Submission, "denial" | "requested_access"> & Pick<Ask, "resource" | "action">;

/** Binds a request to the approvals that its denials wait for. */
export async function submit(ctx: Context, body: Submission): Promise<AuthzenTask> {
  refuseUnknown(ctx, body);
  const { subject, context = {} } = body;
  const justification = justificationIn(context);
  const bound = itemsOf(body).map(({ resource, action, denial, requested_access }) => {
    const ask = { subject, resource, action, context } as Ask;
    const until = requested_access?.requested_until;
    return { resource, action, until, ...openEvaluation(ctx, denial?.evaluation_id, ask) };
  });
  let ends = ctx.request.nowMs;
  for (const { approvalId, until } of bound) {
    const approval = await askFurther(ctx, await approvalOf(ctx, approvalId), { justification, until });
    ends = Math.max(ends, Date.parse(approval.expiresAt));
  }
  return ctx.insert(authzenTasks, {
    ...ctx.stamp(authzenTasks),
    requestedBy: ctx.principal.userId,
    expiresAt: timestamp(ends + READABLE),
    bundled: body.items !== undefined,
    items: bound.map(({ resource, action, approvalId, decisionId }) => ({
      resource: { type: resource.type, id: resource.id },
      action: { name: action.name },
      approvalId,
      decisionId,
    })),
  });
}

/** One that was dropped by age can be bound to no more. */
async function approvalOf(ctx: Context, id: string): Promise<DecisionApproval> {
  const [row] = await ctx.db.getMany(decisionApprovals, [id]);
  if (!row) throw new ReeveError("expired_denial");
  return ctx.current(decisionApprovals, row);
}

function itemsOf({ items, resource, action, denial, requested_access }: Submission): readonly Item[] {
  if (items && (resource || action))
    throw invalidProperty("/items", "`resource` and `action` stand either beside `subject` or in `items`.");
  if (items)
    return items.map((item) => ({
      ...(item as Item),
      denial: item.denial ?? denial,
      requested_access: { ...requested_access, ...item.requested_access },
    }));
  if (!resource) throw invalidProperty("/resource", "It is required where there are no `items`.");
  if (!action) throw invalidProperty("/action", "It is required where there are no `items`.");
  return [{ resource, action, denial, requested_access } as Item];
}

/** Refuses what would be promised and not kept: a callback, and an actor of whom the token says nothing. */
function refuseUnknown({ principal }: Context, { callback, client }: Submission): void {
  if (callback) throw invalidProperty("/callback", "None is called. Poll the task, or set up a webhook.");
  const { actor } = client ?? {};
  if (!actor) return;
  const isCaller = [principal.userId, principal.username].includes(actor.id) && actor.act === undefined;
  if (!isCaller) throw invalidProperty("/client/actor", "The token says nothing of such an actor.");
}

function justificationIn({ business_justification: said }: Ask["context"]): string | undefined {
  if (said === undefined) return undefined;
  const pointer = "/context/business_justification";
  if (typeof said !== "string" || said.length > LONGEST)
    throw invalidProperty(pointer, `It is a text of up to ${LONGEST} characters.`);
  refuseUnfit(said, pointer);
  return said;
}
