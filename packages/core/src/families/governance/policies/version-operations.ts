import { type PastVersion, pastVersions, UNDONE_EVENTS } from "#families/activity/index.js";
import { notFound } from "#kernel/http/errors.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { type Policy, policies } from "./schema.js";
import { SHOWN, Version, VersionContent } from "./version-fields.js";

const shared = {
  method: "GET",
  tag: "AI Governance",
  extension: true,
  access: { permission: "ai-policy:read", capability: "ai_governance" },
} as const;
const PATH = "/api/v1/ai-governance/policies/{id}/versions";

const asListed = ({ id, at, by, changed, record: { revision, status } }: PastVersion<Policy>): Version => ({
  ...{ id, at, by, revision, status },
  changed: changed && [...changed],
});

export const listVersions = defineOperation({
  ...shared,
  id: "aiGovernancePolicies.listVersions",
  path: PATH,
  summary: "List the versions of a policy, the newest first",
  description: `From the record of its changes, its last ${UNDONE_EVENTS} events. Where an event was erased or pruned, older versions are not known, and the last one that is listed has \`changed\`.`,
  params: ById,
  query: PageQuery,
  success: { status: 200, schema: pageOf(Version) },
  async handler(ctx, { params, query }) {
    const policy = await ctx.getOrThrow(policies, params.id);
    const found: Version[] = [];
    for await (const version of pastVersions(ctx, policies, policy, SHOWN)) found.push(asListed(version));
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
    for await (const version of pastVersions(ctx, policies, policy, SHOWN)) {
      if (version.id !== params.versionId) continue;
      const { name, description, category, severity, gate, selector, rules, params: values } = version.record;
      const { paramSchemas, tests } = version.record;
      const said = { name, description, category, severity, gate, selector, rules, paramSchemas, tests };
      return { ...asListed(version), ...said, params: values };
    }
    throw notFound();
  },
});
