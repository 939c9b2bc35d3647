import type { Tag } from "#families/tags.js";
import { notFound, ReeveError } from "#kernel/http/errors.js";
import { ById, removeOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import type { PolicyKind } from "./fields.js";
import { Policy, policies } from "./schema.js";
import { chosenKind, PolicyChange, PolicyRequest, RuntimePolicyRequest, readPolicyBody } from "./write/body.js";
import { addPolicy, changePolicy } from "./write/change.js";

export const may = (verb: "read" | "write" | "delete") =>
  ({ permission: `ai-policy:${verb}`, capability: "ai_governance" }) as const;

const { kind: _, ...ofOneKind } = policies.filters;

const CHANGES = [
  "already_exists",
  "invalid_transition",
  "transition_guard_failed",
  "missing_reason",
  "read_only_property",
  "self_approval_forbidden",
] as const;

/** The names of the five operations on policies. */
interface PolicyOperations<Id extends string> {
  /** Their only kind. Absent for both kinds. */
  readonly kind?: PolicyKind;
  readonly id: Id;
  readonly tag: Tag;
  readonly path: string;
  /** In summaries: `runtime policy`, `runtime policies`. */
  readonly one: string;
  readonly many: string;
  /** Whether those other than the list are extensions. */
  readonly extension: boolean;
  /** The path of the operations that replace these. */
  readonly successor?: string;
}

/** When the older operations on runtime policies were deprecated, and when they end. */
const REPLACED = { since: "2026-11-22", sunset: "2027-11-22" };

/** The operations list, create, read, replace and delete for policies of one kind or of both. */
export function policyOperations<const Id extends string>({
  kind,
  id,
  tag,
  path,
  one,
  many,
  extension,
  successor,
}: PolicyOperations<Id>) {
  const replaced = (by: string) => (successor === undefined ? {} : { deprecated: { ...REPLACED, successor: by } });
  const Request = kind === undefined ? PolicyRequest : RuntimePolicyRequest;
  const requireKind = (policy: Policy) => {
    if (kind !== undefined && policy.kind !== kind) throw notFound();
  };
  return {
    list: defineOperation({
      id: `${id}.list`,
      method: "GET",
      path,
      tag,
      summary: `List ${many}`,
      access: may("read"),
      ...replaced(`${successor}?kind=${kind}`),
      query: listQuery(kind === undefined ? policies : { ...policies, filters: ofOneKind }, "name, key or description"),
      success: { status: 200, schema: pageOf(Policy) },
      handler: (ctx, { query }) => ctx.page(policies, query, kind === undefined ? {} : { where: { kind } }),
    }),
    create: defineOperation({
      id: `${id}.create`,
      ...(successor === undefined ? ({ agents: "propose" } as const) : {}),
      method: "POST",
      path,
      tag,
      extension,
      summary: `Write a ${one}`,
      description:
        "It is a draft unless `status` says otherwise. Rules that do not compile are refused, each with where it is at fault. `configuration` takes the fields of a policy and nothing else.",
      ...replaced(`${successor}`),
      access: may("write"),
      body: Request.optional(),
      success: { status: 201, schema: Policy },
      errors: CHANGES,
      handler: (ctx, { body = {} }) => {
        const chosen = kind === undefined ? chosenKind(body) : { kind, body };
        return addPolicy(ctx, chosen.kind, readPolicyBody(chosen.body));
      },
    }),
    read: defineOperation({
      id: `${id}.read`,
      method: "GET",
      path: `${path}/{id}`,
      tag,
      extension,
      summary: `Read one ${one}`,
      ...replaced(`${successor}/{id}`),
      access: may("read"),
      params: ById,
      success: { status: 200, schema: Policy },
      async handler(ctx, { params }) {
        const policy = await ctx.getOrThrow(policies, params.id);
        requireKind(policy);
        return policy;
      },
    }),
    replace: defineOperation({
      id: `${id}.replace`,
      method: "PUT",
      path: `${path}/{id}`,
      tag,
      extension,
      summary: `Change a ${one}`,
      description:
        "Properties that are sent are replaced, properties left out stay as they are. `status` moves it; to be observed or in force it needs tests, and all must pass. One that is evaluated is changed only if they still do, and what one in force says only with `ai-policy:activate`. Where one in force gates, denies or has actions approved, the change waits in `pending` for a four-eyes approver. One whose rules no longer compile can still be disabled.",
      ...replaced(`${successor}/{id}`),
      access: may("write"),
      params: ById,
      body: PolicyChange.optional(),
      success: { status: 200, schema: Policy },
      errors: [...CHANGES, "in_use"],
      async handler(ctx, { params, body = {} }) {
        const before = await ctx.getForUpdate(policies, params.id);
        requireKind(before);
        return changePolicy(ctx, before, readPolicyBody(body, before));
      },
    }),
    remove: removeOperation({
      ...replaced(`${successor}/{id}`),
      id: `${id}.delete`,
      path,
      tag,
      extension,
      summary: `Delete a ${one} that is a draft or archived`,
      access: may("delete"),
      collection: policies,
      errors: ["in_use"],
      mayRemove(_ctx, policy) {
        requireKind(policy);
        if (policy.managedBy === "builtin") throw new ReeveError("in_use", "It comes with a pack; disable it instead.");
        if (policy.status !== "draft" && policy.status !== "archived")
          throw new ReeveError("in_use", `The policy is in state ${policy.status}; disable and archive it first.`);
      },
    }),
  } as const;
}

/** Operations on policies of both kinds. */
export const governancePolicies = policyOperations({
  id: "aiGovernancePolicies",
  tag: "AI Governance",
  path: "/api/v1/ai-governance/policies",
  one: "governance policy",
  many: "governance policies",
  extension: true,
});

/** Operations on policies that decide at run time. */
export const runtimePolicies = policyOperations({
  kind: "runtime",
  id: "aiPolicies",
  tag: "AI Policies",
  path: "/api/v1/ai/policies",
  one: "runtime policy",
  many: "runtime policies",
  extension: false,
  successor: "/api/v1/ai-governance/policies",
});
