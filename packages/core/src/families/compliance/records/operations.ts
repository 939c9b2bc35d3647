import { ById, readOperation, removeOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { may, PATH, shared } from "../access.js";
import { ComplianceRecord, compliance } from "./schema.js";
import { ComplianceRequest, readComplianceBody } from "./write-body.js";
import { addRecord, changeRecord } from "./write-change.js";

const MOVES = [
  "invalid_transition",
  "transition_guard_failed",
  "missing_reason",
  "read_only_property",
  "self_approval_forbidden",
] as const;

export const listRecords = defineOperation({
  ...shared,
  id: "aiCompliance.list",
  method: "GET",
  path: PATH,
  summary: "List assessments of controls",
  access: may("read"),
  query: listQuery(compliance, "name, framework, control or rationale"),
  success: { status: 200, schema: pageOf(ComplianceRecord) },
  handler: (ctx, { query }) => ctx.page(compliance, query),
});

export const createRecord = defineOperation({
  ...shared,
  id: "aiCompliance.create",
  method: "POST",
  path: PATH,
  summary: "Begin the assessment of a control",
  description:
    "`framework` and `controlId` say of which, `assetId` of which asset; there is one for each. `addEvidence` says where evidence is. `status` and `workflow` move it.",
  access: may("assess"),
  body: ComplianceRequest.optional(),
  success: { status: 201, schema: ComplianceRecord },
  errors: ["already_exists", "invalid_reference", ...MOVES],
  handler: (ctx, { body = {} }) => addRecord(ctx, readComplianceBody(body, ctx.now)),
});

export const readRecord = readOperation({
  ...shared,
  id: "aiCompliance.read",
  path: PATH,
  summary: "Read one assessment of a control",
  access: may("read"),
  collection: compliance,
  schema: ComplianceRecord,
});

export const replaceRecord = defineOperation({
  ...shared,
  id: "aiCompliance.replace",
  method: "PUT",
  path: `${PATH}/{id}`,
  summary: "Change an assessment of a control: evidence, rationale, status, workflow",
  description:
    "Properties that are sent are replaced, properties left out stay as they are; `addEvidence` attaches, `retireEvidence` takes out of use. The rationale of an attested record changes only together with its status. `compliant`, `exempted` and `not_applicable` are for somebody with `ai-compliance:attest` who has not assessed it.",
  access: may("assess"),
  params: ById,
  body: ComplianceRequest.optional(),
  success: { status: 200, schema: ComplianceRecord },
  errors: ["invalid_reference", "in_use", ...MOVES],
  async handler(ctx, { params, body = {} }) {
    const before = await ctx.getForUpdate(compliance, params.id);
    return changeRecord(ctx, before, readComplianceBody(body, ctx.now, before));
  },
});

export const deleteRecord = removeOperation({
  ...shared,
  id: "aiCompliance.delete",
  path: PATH,
  summary: "Delete an assessment of a control",
  access: may("assess"),
  collection: compliance,
});
