import { defineOperation } from "#kernel/operation/operation.js";
import { Raw } from "#kernel/records/outcome.js";
import { domainEnums } from "./build-enums.js";
import { DomainEnums } from "./schema.js";

export const readDomainEnums = defineOperation({
  id: "aiGovernance.readEnums",
  agents: "explain",
  method: "GET",
  path: "/api/v1/ai-governance/domain/enums",
  tag: "AI Governance",
  summary: "Give every vocabulary of the interface: values, machines, event types and the language of rules",
  description: "From the constants that the service itself goes by. The ETag changes only with a release.",
  access: "signed-in",
  success: { status: 200, schema: DomainEnums },
  async handler(ctx) {
    const { text, digest } = await ctx.env.use(domainEnums).get();
    return new Raw(text, "application/json", { headers: { etag: `"${digest}"` } });
  },
});
