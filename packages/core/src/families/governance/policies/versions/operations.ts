import { notFound } from "#kernel/http/errors.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { policies } from "../schema.js";
import { type PastVersion, pastVersions } from "./past-versions.js";
import { Version, VersionContent } from "./version-fields.js";

const shared = {
  method: "GET",
  tag: "AI Governance",
  extension: true,
  access: { permission: "ai-policy:read", capability: "ai_governance" },
} as const;
const PATH = "/api/v1/ai-governance/policies/{id}/versions";

const asListed = ({ id, at, by, changed, policy: { revision, status } }: PastVersion): Version => ({
  ...{ id, at, by, revision, status },
  changed: changed && [...changed],
});

export const listVersions = defineOperation({
  ...shared,
  id: "aiGovernancePolicies.listVersions",
  path: PATH,
  summary: "List the versions of a policy, the newest first",
  description:
    "From the record of its changes, its last 1,000 events. Where an event was erased or pruned, older versions are not known, and the last one that is listed has `changed`.",
  params: ById,
  query: PageQuery,
  success: { status: 200, schema: pageOf(Version) },
  async handler(ctx, { params, query }) {
    const policy = await ctx.getOrThrow(policies, params.id);
    const found: Version[] = [];
    for await (const version of pastVersions(ctx, policy)) found.push(asListed(version));
    return ctx.slice(`versions of ${policy.id}`, found, query);
  },
});

export const readVersion = defineOperation({
  ...shared,
  id: "aiGovernancePolicies.readVersion",
  path: `${PATH}/{versionId}`,
  summary: "Read a policy as it was in one of its versions",
  params: ById.extend({ versionId: z.string().max(64).meta({ description: "Id of the version." }) }),
  success: {
    status: 200,
    schema: VersionContent,
  },
  async handler(ctx, { params }) {
    const policy = await ctx.getOrThrow(policies, params.id);
    for await (const version of pastVersions(ctx, policy)) {
      if (version.id !== params.versionId) continue;
      const { name, description, category, severity, gate, selector, rules, params: values } = version.policy;
      const { paramSchemas, tests } = version.policy;
      const said = { name, description, category, severity, gate, selector, rules, paramSchemas, tests };
      return { ...asListed(version), ...said, params: values };
    }
    throw notFound();
  },
});
