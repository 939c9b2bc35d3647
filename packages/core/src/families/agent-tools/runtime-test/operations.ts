import { OfAsset, tag } from "#families/access/index.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { RuntimeTest, RuntimeTestRequest } from "./schema.js";
import { lookThrough, storeTest } from "./test-runtime.js";

export const testRuntime = defineOperation({
  tag,
  id: "agentTools.runtimeTest",
  method: "POST",
  path: "/api/v1/ai-assets/{assetId}/runtime-test",
  summary: "Test whether an AI asset could run a tool, and where it would stop",
  description:
    "The steps are those of a real call, with a token that exists in memory only. It counts nowhere as use. With `execute` a tool that only reads is run.",
  access: { permission: "agent-tool:test", capability: "access_governance" },
  unkept: ["arguments"],
  params: OfAsset,
  body: RuntimeTestRequest.optional(),
  success: { status: 200, schema: RuntimeTest },
  killSwitches: ["connectors.outbound"],
  expensive: true,
  prepare: (ctx, { params, body = {} }) => lookThrough(ctx, params.assetId, body),
  handler: (ctx, { params, body = {} }, tested) => storeTest(ctx, params.assetId, body, tested),
});
