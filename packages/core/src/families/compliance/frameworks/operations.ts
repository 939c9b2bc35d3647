import { builtinFramework, FrameworkFields, FrameworkKey } from "#frameworks/index.js";
import { notFound, ReeveError } from "#kernel/http/errors.js";
import { entityTag, requireVersion } from "#kernel/http/version-condition.js";
import type { Context } from "#kernel/operation/context.js";
import { everyPage } from "#kernel/operation/every-page.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import { Raw } from "#kernel/records/outcome.js";
import { may, PATH, shared } from "../access.js";
import { type Adoption, adoptions } from "../adoptions/schema.js";
import { compliance } from "../records/schema.js";
import { ByKey } from "./by-key.js";
import { checkFramework } from "./read/check.js";
import { allAdoptions, allFrameworks, findFramework, MOST_FRAMEWORKS, ofOwn, summaryOf } from "./read/find.js";
import { requirePolicyRules } from "./read/policy-rules.js";
import { Framework, ListedFramework, type OwnFramework, ownFrameworks } from "./schema.js";

const FRAMEWORKS = `${PATH}/frameworks`;
export const listFrameworks = defineOperation({
  ...shared,
  id: "aiCompliance.listFrameworks",
  method: "GET",
  path: FRAMEWORKS,
  extension: true,
  summary: "List the frameworks: those that come with this service, then your own",
  access: may("read"),
  query: PageQuery,
  success: { status: 200, schema: pageOf(ListedFramework) },
  async handler(ctx, { query }) {
    const adopted = new Map((await allAdoptions(ctx)).map((each) => [each.id, each]));
    const summaries = (await allFrameworks(ctx)).map(summaryOf);
    const items = summaries.map((each) => ({ ...each, adoption: profileOf(adopted.get(each.key)) }));
    return ctx.slice("frameworks", items, query);
  },
});

const profileOf = (adoption: Adoption | undefined) =>
  adoption === undefined ? null : { roles: adoption.roles, scope: adoption.scope };

export const readFramework = defineOperation({
  ...shared,
  id: "aiCompliance.readFramework",
  method: "GET",
  path: `${FRAMEWORKS}/{key}`,
  extension: true,
  summary: "Read one framework with all its controls",
  access: may("read"),
  params: ByKey,
  success: { status: 200, schema: Framework },
  async handler(ctx, { params }) {
    const framework = await findFramework(ctx, params.key);
    if (!framework) throw notFound();
    return tagged(framework);
  },
});

export const replaceFramework = defineOperation({
  ...shared,
  id: "aiCompliance.replaceFramework",
  method: "PUT",
  path: `${FRAMEWORKS}/{key}`,
  extension: true,
  summary: "Upload a framework of your own, or replace it as a whole",
  description:
    "Every fault is named with its place. Its version counts up with what changes. Controls that records refer to stay; frameworks that come with this service cannot be replaced.",
  access: may("frameworks"),
  params: ByKey,
  body: FrameworkFields.meta({
    id: "ComplianceFrameworkUpload",
    example: {
      name: "House rules",
      publisher: "Acme",
      edition: "1",
      source: "Intranet",
      terms: "For use within Acme.",
      controls: [
        { id: "C 1", title: "Every agent has an owner", kind: "manual", guidance: "Name one.", sourceRef: "Page 1" },
      ],
    },
  }),
  success: { status: 200, schema: Framework },
  errors: ["in_use", "limit_exceeded", "precondition_failed", "invalid_reference"],
  async handler(ctx, { params, body }) {
    const key = FrameworkKey.safeParse(params.key);
    if (!key.success) throw new ReeveError("invalid_request", `The key is not valid. ${key.error.issues[0]?.message}`);
    await refuseBuiltin(params.key);
    checkFramework(ctx.env, body);
    const row = await ctx.db.get(ownFrameworks, params.key);
    await requirePolicyRules(ctx, body, row?.value);
    if (!row) return tagged(ofOwn(await addFramework(ctx, params.key, body)));
    requireVersion(ctx.request.ifMatch, row.version);
    await requireControls(ctx, params.key, body);
    return tagged(ofOwn(await ctx.update(ownFrameworks, row.value, body)));
  },
});

/** The answer with a framework, whose version is the ETag. */
const tagged = (framework: Framework) =>
  new Raw(JSON.stringify(framework), "application/json", { headers: { etag: entityTag(framework.version) } });

async function addFramework(ctx: Context, key: string, fields: FrameworkFields): Promise<OwnFramework> {
  const held = await ctx.db.count(ownFrameworks);
  if (held.count >= MOST_FRAMEWORKS)
    throw new ReeveError("limit_exceeded", `A tenant has at most ${MOST_FRAMEWORKS} frameworks of its own.`);
  const by = ctx.principal.userId;
  const marks = { version: 1, createdAt: ctx.now, createdBy: by, updatedAt: ctx.now, updatedBy: by };
  return ctx.insert(ownFrameworks, { id: key, ...marks, ...fields });
}

export const deleteFramework = defineOperation({
  ...shared,
  id: "aiCompliance.deleteFramework",
  method: "DELETE",
  path: `${FRAMEWORKS}/{key}`,
  extension: true,
  summary: "Delete a framework of your own that no record refers to",
  access: may("frameworks"),
  params: ByKey,
  success: { status: 204 },
  errors: ["in_use", "precondition_failed"],
  async handler(ctx, { params }) {
    await refuseBuiltin(params.key);
    const row = await ctx.db.get(ownFrameworks, params.key);
    if (!row) throw notFound();
    requireVersion(ctx.request.ifMatch, row.version);
    const { rows } = await ctx.db.find(compliance, { where: { framework: params.key }, size: 1 });
    if (rows.length > 0) throw new ReeveError("in_use", "Records of compliance refer to it; delete those first.");
    if (await ctx.db.get(adoptions, params.key)) throw new ReeveError("in_use", "It is adopted; end that first.");
    await ctx.remove(ownFrameworks, row.value);
    return undefined;
  },
});

async function refuseBuiltin(key: string): Promise<void> {
  if (await builtinFramework(key)) throw new ReeveError("in_use", "It comes with this service and cannot be changed.");
}

/** 409 when a record refers to a control that the framework no longer has. */
async function requireControls(ctx: Context, framework: string, { controls }: FrameworkFields): Promise<void> {
  const there = new Set(controls.map(({ id }) => id));
  const gone = new Set<string>();
  for await (const rows of everyPage(ctx.db, compliance, { where: { framework } }))
    for (const { value } of rows) if (!there.has(value.controlId)) gone.add(value.controlId);
  if (gone.size === 0) return;
  const named = [...gone].sort().slice(0, 10).join(", ");
  throw new ReeveError("in_use", `Records of compliance refer to controls that it would no longer have: ${named}.`);
}
