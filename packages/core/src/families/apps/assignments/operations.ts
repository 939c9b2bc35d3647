import { invalidProperty, notFound } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { may } from "../access.js";
import { AppPath } from "../saml-apps/rules.js";
import { samlApps } from "../saml-apps/schema.js";
import { endLostAccess } from "./check/lost-access.js";
import { subjectExists } from "./check/subject.js";
import { Assignment, Subject, samlAssignments } from "./schema.js";

const PATH = "/api/v1/saml-apps/{appInstanceId}/assignments";
const shared = { tag: "SAML Applications", extension: true } as const;

export const listAssignments = defineOperation({
  ...shared,
  id: "samlApps.listAssignments",
  method: "GET",
  path: PATH,
  summary: "List who signs on to an application",
  access: may("read"),
  params: AppPath,
  query: listQuery(samlAssignments),
  success: { status: 200, schema: pageOf(Assignment) },
  async handler(ctx, { params, query }) {
    const { id: appId } = await ctx.getOrThrow(samlApps, params.appInstanceId);
    return ctx.page(samlAssignments, query, { where: { appId } });
  },
});

export const assignApp = defineOperation({
  ...shared,
  id: "samlApps.assign",
  method: "POST",
  path: PATH,
  summary: "Assign an application to everyone, a role, a user or an AI identity",
  access: may("assign"),
  params: AppPath,
  body: Subject,
  success: { status: 201, schema: Assignment },
  errors: ["already_exists", "invalid_reference"],
  async handler(ctx, { params, body }) {
    const app = await ctx.getOrThrow(samlApps, params.appInstanceId);
    await checkSubject(ctx, body);
    const { subjectType, subjectId } = body;
    return ctx.insert(samlAssignments, { appId: app.id, subjectType, subjectId } as Assignment);
  },
});

export const unassignApp = defineOperation({
  ...shared,
  id: "samlApps.unassign",
  method: "DELETE",
  path: `${PATH}/{assignmentId}`,
  summary: "Take an application away, and end the sessions of those who had it",
  access: may("assign"),
  params: AppPath.extend({ assignmentId: z.string().meta({ description: "Id of the assignment." }) }),
  success: { status: 204 },
  async handler(ctx, { params }) {
    const app = await ctx.getOrThrow(samlApps, params.appInstanceId);
    const assignment = await ctx.getForUpdate(samlAssignments, params.assignmentId);
    if (assignment.appId !== app.id) throw notFound();
    await ctx.remove(samlAssignments, assignment);
    await endLostAccess(ctx, app.id);
    return undefined;
  },
});

/** 400 unless the subject exists. */
async function checkSubject(ctx: Context, { subjectType, subjectId }: z.output<typeof Subject>): Promise<void> {
  if ((subjectType === "everyone") !== (subjectId === null))
    throw invalidProperty("/subjectId", "Everyone has no id, and nobody else is without.");
  if (subjectId === null) return;
  const exists = await subjectExists(ctx, { subjectType, subjectId });
  if (!exists) throw invalidProperty("/subjectId", "There is none with this id.", "invalid_reference");
}
