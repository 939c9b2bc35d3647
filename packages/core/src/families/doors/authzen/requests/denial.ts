import type { Ask, Evaluation } from "#families/governance/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";

/** Members of a context that carry the profile itself, and are bound to nothing. */
const MACHINERY: readonly string[] = ["approval", "approvalId", "approvalScope", "access_request", "evaluation_id"];

/** What a denial is bound to. It is sealed within the id of the evaluation, so that no record is kept of it. */
const Bound = z.object({
  approvalId: z.string(),
  userId: z.string(),
  /** Names of the members of `context` that count. */
  members: z.array(z.string()),
  digest: z.string(),
  expiresAt: z.string(),
});
type Bound = z.output<typeof Bound>;

const labelOf = ({ principal }: ReadContext, id: string) => `evaluation ${principal.tenantId} ${id}`;

/** The id of an evaluation that may be asked about: the id of the decision, and what it is bound to. */
export function sealEvaluation(
  ctx: ReadContext,
  sent: Ask,
  reads: readonly string[],
  { id }: Evaluation,
  approval: { readonly id: string; readonly expiresAt: string },
): string {
  const members = relevantMembers(sent, reads);
  const bound: Bound = {
    approvalId: approval.id,
    userId: ctx.principal.userId,
    members,
    digest: digestOf(sent, members),
    expiresAt: approval.expiresAt,
  };
  return `${id}.${ctx.env.secretBox.seal(JSON.stringify(bound), labelOf(ctx, id))}`;
}

/** What an evaluation was bound to: ids of the decision and of the approval. Refused where it is about something else. */
export function openEvaluation(ctx: ReadContext, evaluationId: string | undefined, sent: Ask) {
  const [id = "", sealed] = (evaluationId ?? "").split(".");
  if (/^dec_\w{26}$/.test(id) && sealed === undefined) throw new ReeveError("denial_not_requestable");
  const text = ctx.env.secretBox.open(sealed ?? "", labelOf(ctx, id));
  if (text === undefined) throw unbound("`denial.evaluation_id` is not as it was given out.");
  const bound = Bound.parse(JSON.parse(text));
  if (bound.userId !== ctx.principal.userId) throw unbound("Another caller was denied.");
  if (bound.expiresAt <= ctx.now) throw new ReeveError("expired_denial");
  if (bound.digest !== digestOf(sent, bound.members)) throw unbound("Something else was denied.");
  return { decisionId: id, approvalId: bound.approvalId };
}

const unbound = (detail: string) => new ReeveError("invalid_denial_binding", detail);

/** The members of a context that rules read, or all where it cannot be told which. */
function relevantMembers({ context }: Ask, reads: readonly string[]): string[] {
  const isDynamic = reads.some((path) => path === "context" || path.startsWith("context["));
  const names = isDynamic ? Object.keys(context) : reads.map((path) => path.split(/[.[]/)[1] ?? "");
  return [...new Set(names)].filter((name) => !MACHINERY.includes(name)).sort();
}

/** Who acts for the subject may stand elsewhere in the request, as the profile has it. The approval stays bound to it. */
function digestOf({ subject, action, resource, context }: Ask, members: readonly string[]): string {
  const { properties, ...who } = subject;
  const { act: _, ...rest } = properties ?? {};
  const kept = members.filter((name) => Object.hasOwn(context, name)).map((name) => [name, context[name]]);
  return sha256(
    canonical({
      subject: { ...who, properties: rest },
      action: { ...action, properties: action.properties ?? {} },
      resource: { ...resource, properties: resource.properties ?? {} },
      context: Object.fromEntries(kept),
    }),
  );
}
