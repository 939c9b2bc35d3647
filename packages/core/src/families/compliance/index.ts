import { extend } from "#kernel/config/extension.js";
import { defineArea } from "#kernel/operation/area.js";
import { dropAged, dueByAge } from "#kernel/operation/retention.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { controlCatalogs } from "../governance/index.js";
import { abandonFramework, adoptFramework } from "./adoptions/operations.js";
import { adoptions } from "./adoptions/schema.js";
import { complianceEvents } from "./events.js";
import { deleteFramework, listFrameworks, readFramework, replaceFramework } from "./frameworks/operations.js";
import { controlsOf } from "./frameworks/read/find.js";
import { ownFrameworks } from "./frameworks/schema.js";
import { readPosture } from "./posture/operations.js";
import { keepPosture, postureDue, postureSnapshots } from "./posture/snapshots/snapshots.js";
import { tellExpiry } from "./records/evidence/expiry.js";
import { complianceResult, complianceWorkflow } from "./records/machine.js";
import { createRecord, deleteRecord, listRecords, readRecord, replaceRecord } from "./records/operations.js";
import { compliancePermissions } from "./records/permissions.js";
import { compliance } from "./records/schema.js";
import { fileReport, readReport } from "./report/operations.js";

export { ESTATE_VOCABULARY } from "./frameworks/read/applicability.js";
export { Grade as PostureGrade } from "./posture/schema.js";
export { latestPosture } from "./posture/snapshots/snapshots.js";
export { compliance } from "./records/schema.js";
export { reportPage as compliancePage } from "./report/render/document.js";
export { REPORT_FORMAT, type Report as ComplianceReport } from "./report/schema.js";

/** Frameworks, assessments of their controls, and the resulting posture. */
export const complianceArea = defineArea({
  name: "compliance",
  collections: [compliance, ownFrameworks, adoptions, postureSnapshots],
  machines: [complianceResult, complianceWorkflow],
  operations: [
    listRecords,
    createRecord,
    readPosture,
    readReport,
    fileReport,
    listFrameworks,
    readFramework,
    replaceFramework,
    deleteFramework,
    adoptFramework,
    abandonFramework,
    readRecord,
    replaceRecord,
    deleteRecord,
  ],
  follows: [tellExpiry],
  dues: [postureDue, dueByAge("postures", postureSnapshots, "createdAt")],
  tick: async (env, tenantId, now) =>
    (await keepPosture(env, tenantId, now)) +
    (await dropAged(env, tenantId, { kind: "postures", collection: postureSnapshots, by: "createdAt" })),
  extends: [
    complianceEvents,
    compliancePermissions,
    extend(controlCatalogs, controlsOf),
    defineEventReaders({ compliance_report: ["ai-compliance:read"] }),
  ],
});
