import { notFound } from "#kernel/http/errors.js";
import { requireVersion } from "#kernel/http/version-condition.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { may, PATH, shared } from "../access.js";
import { ByKey } from "../frameworks/by-key.js";
import { findFramework } from "../frameworks/read/find.js";
import { Adoption, AdoptionFields, adoptions } from "./schema.js";

const path = `${PATH}/frameworks/{key}/adoption`;

export const adoptFramework = defineOperation({
  ...shared,
  id: "aiCompliance.adoptFramework",
  method: "PUT",
  path,
  extension: true,
  summary: "Adopt a framework with the roles that the organisation has, or change these",
  description:
    "Once any framework is adopted, only adopted ones count. Controls that bind other roles are not applicable.",
  access: may("frameworks"),
  params: ByKey,
  body: AdoptionFields.meta({
    id: "ComplianceAdoptionRequest",
    example: { roles: ["deployer"], scope: "We buy agents and build none." },
  }),
  success: { status: 200, schema: Adoption },
  errors: ["precondition_failed"],
  async handler(ctx, { params, body }) {
    if (!(await findFramework(ctx, params.key))) throw notFound();
    const fields = { ...body, roles: [...new Set(body.roles)].sort() };
    const row = await ctx.db.get(adoptions, params.key);
    if (row) {
      requireVersion(ctx.request.ifMatch, row.version);
      return ctx.update(adoptions, row.value, fields);
    }
    const by = ctx.principal.userId;
    const marks = { version: 1, createdAt: ctx.now, createdBy: by, updatedAt: ctx.now, updatedBy: by };
    return ctx.insert(adoptions, { id: params.key, ...marks, ...fields });
  },
});

export const abandonFramework = defineOperation({
  ...shared,
  id: "aiCompliance.abandonFramework",
  method: "DELETE",
  path,
  extension: true,
  summary: "End the adoption of a framework",
  access: may("frameworks"),
  params: ByKey,
  success: { status: 204 },
  errors: ["precondition_failed"],
  async handler(ctx, { params }) {
    const row = await ctx.db.get(adoptions, params.key);
    if (!row) throw notFound();
    requireVersion(ctx.request.ifMatch, row.version);
    await ctx.remove(adoptions, row.value);
    return undefined;
  },
});
