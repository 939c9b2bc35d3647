export { ESTATE_VOCABULARY } from "./frameworks/read/applicability.js";
export { latestPosture } from "./posture/posture-snapshots.js";
export { Grade as PostureGrade } from "./posture/schema.js";
export { compliance } from "./records/schema.js";
export { reportPage as compliancePage } from "./report/render/document.js";
export { REPORT_FORMAT, type Report as ComplianceReport } from "./report/schema.js";
