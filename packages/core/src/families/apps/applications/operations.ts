import { notFound } from "#kernel/http/errors.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { MAY_USE, may } from "../access.js";
import { isAssigned } from "../assignments/check/assigned.js";
import { changeApp, prepareAppChange } from "../saml-apps/change/change.js";
import { ApplicationFields } from "../saml-apps/fields.js";
import { ApplicationRequest } from "../saml-apps/register/body.js";
import { samlApps } from "../saml-apps/schema.js";
import { ownApps } from "./own-applications.js";
import { Application, applicationOf, hiddenApps, hiddenId } from "./schema.js";

const shared = { tag: "Applications" } as const;

export const listOwnApps = defineOperation({
  ...shared,
  id: "apps.list",
  method: "GET",
  path: "/api/v1/apps",
  summary: "List the caller's own applications",
  access: MAY_USE,
  extension: true,
  query: PageQuery,
  success: { status: 200, schema: pageOf(Application) },
  handler: async (ctx, { query }) => ctx.slice("apps", (await ownApps(ctx)).map(applicationOf), query),
});

export const readApplication = defineOperation({
  ...shared,
  id: "apps.read",
  method: "GET",
  path: "/api/v1/apps/{id}",
  summary: "Read one application as those see it who use it",
  access: may("read"),
  params: ById,
  success: { status: 200, schema: Application },
  handler: async (ctx, { params }) => applicationOf(await ctx.getOrThrow(samlApps, params.id)),
});

export const updateApplication = defineOperation({
  ...shared,
  id: "apps.update",
  stops: true,
  method: "PUT",
  path: "/api/v1/apps/{id}",
  summary: "Change an application as those see it who use it",
  description: "Its sign-on is changed by `PUT /api/v1/saml-apps/{appInstanceId}`.",
  access: may("write"),
  params: ById,
  body: ApplicationRequest,
  success: { status: 200, schema: Application },
  errors: ["already_exists", "invalid_transition", "missing_reason", "read_only_property"],
  prepare: (ctx, { params, body }) => prepareAppChange(ctx, params.id, body, ApplicationFields),
  handler: async (ctx, _input, change) => applicationOf(await changeApp(ctx, change)),
});

const Removed = z
  .object({
    id: z.string().meta({ description: "Id of the application." }),
    removed: z.literal(true).meta({ description: "It is not among the caller's own any more." }),
  })
  .meta({ id: "RemovedApplication" });

export const removeOwnApp = defineOperation({
  ...shared,
  id: "apps.removeOwn",
  method: "DELETE",
  path: "/api/v1/user/app/{id}",
  summary: "Remove an application from the caller's own",
  description: "It stays assigned: a launch brings it back. 404 for one that is not among the caller's own.",
  access: MAY_USE,
  params: ById,
  success: { status: 200, schema: Removed },
  async handler(ctx, { params }) {
    const { userId } = ctx.principal;
    const app = await ctx.getForUpdate(samlApps, params.id);
    const id = hiddenId(userId, app.id);
    if (!(await isAssigned(ctx.db, app.id, ctx.principal)) || (await ctx.db.get(hiddenApps, id))) throw notFound();
    await ctx.insert(hiddenApps, { id, userId });
    await ctx.emit({
      type: "application.hidden",
      subject: { id: app.id, type: "saml_app", path: `/api/v1/apps/${app.id}` },
      related: [app.id, userId],
      data: { entity: { type: "saml_app", id: app.id, name: app.name }, userId },
    });
    return { id: app.id, removed: true as const };
  },
});
