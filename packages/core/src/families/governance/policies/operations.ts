import { z } from "zod";
import { ById, removeOperation } from "../../../kernel/crud.js";
import { notFound, ReeveError } from "../../../kernel/errors.js";
import { GenericBody } from "../../../kernel/generic-body.js";
import { defineOperation, type Tag } from "../../../kernel/operation.js";
import { pageOf, pageQuery } from "../../../kernel/page.js";
import { SEVERITIES } from "../../findings/index.js";
import { readPolicyBody } from "./body.js";
import { addPolicy, changePolicy } from "./change.js";
import { POLICY_STATUSES, Policy, type PolicyKind, policies } from "./schema.js";

export const may = (verb: "read" | "write" | "delete") =>
  ({ permission: `ai-policy:${verb}`, capability: "ai_governance" }) as const;

const PolicyQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(POLICY_STATUSES).optional(),
  severity: z.enum(SEVERITIES).optional(),
});

const CHANGES = [
  "already_exists",
  "invalid_transition",
  "transition_guard_failed",
  "missing_reason",
  "read_only_property",
] as const;

/** How the five operations of one kind of policy are named. */
interface PolicyOperations<Id extends string> {
  readonly kind: PolicyKind;
  readonly id: Id;
  readonly tag: Tag;
  readonly path: string;
  /** In summaries: `runtime policy`, `runtime policies`. */
  readonly one: string;
  readonly many: string;
  /** Beyond the list, which is published for both kinds. */
  readonly extension: boolean;
}

/** List, create, read, replace and delete for the policies of one kind. */
export function policyOperations<const Id extends string>({
  kind,
  id,
  tag,
  path,
  one,
  many,
  extension,
}: PolicyOperations<Id>) {
  return {
    list: defineOperation({
      id: `${id}.list`,
      method: "GET",
      path,
      tag,
      summary: `List ${many}, newest first`,
      access: may("read"),
      query: PolicyQuery,
      success: { status: 200, schema: pageOf(Policy) },
      handler: (ctx, { query: { status, severity, ...page } }) =>
        ctx.page(policies, page, {
          where: { kind, ...(status ? { status } : {}), ...(severity ? { severity } : {}) },
        }),
    }),
    create: defineOperation({
      id: `${id}.create`,
      method: "POST",
      path,
      tag,
      extension,
      summary: `Write a ${one}`,
      description:
        "It is a draft unless `status` says otherwise. Rules that do not compile are refused, each with where it is at fault. `configuration` takes the fields of a policy and nothing else.",
      access: may("write"),
      body: GenericBody.optional(),
      success: { status: 201, schema: Policy },
      errors: CHANGES,
      handler: (ctx, { body = {} }) => addPolicy(ctx, kind, readPolicyBody(body)),
    }),
    read: defineOperation({
      id: `${id}.read`,
      method: "GET",
      path: `${path}/{id}`,
      tag,
      extension,
      summary: `Read one ${one}`,
      access: may("read"),
      params: ById,
      success: { status: 200, schema: Policy },
      async handler(ctx, { params }) {
        const policy = await ctx.need(policies, params.id);
        if (policy.kind !== kind) throw notFound();
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
        "Properties that are sent are replaced, properties left out stay as they are. `status` moves it; to be observed or in force it needs tests, and all must pass. One that is evaluated is changed only if they still do.",
      access: may("write"),
      params: ById,
      body: GenericBody.optional(),
      success: { status: 200, schema: Policy },
      errors: [...CHANGES, "in_use"],
      async handler(ctx, { params, body = {} }) {
        const before = await ctx.target(policies, params.id);
        if (before.kind !== kind) throw notFound();
        return changePolicy(ctx, before, readPolicyBody(body, before));
      },
    }),
    remove: removeOperation({
      id: `${id}.delete`,
      path,
      tag,
      extension,
      summary: `Delete a ${one} that is a draft or archived`,
      access: may("delete"),
      collection: policies,
      errors: ["in_use"],
      mayRemove(policy) {
        if (policy.kind !== kind) throw notFound();
        if (policy.managedBy === "builtin") throw new ReeveError("in_use", "It comes with a pack; disable it instead.");
        if (policy.status !== "draft" && policy.status !== "archived")
          throw new ReeveError("in_use", `The policy is in state ${policy.status}; disable and archive it first.`);
      },
    }),
  } as const;
}
