import { defineArea } from "#families/area.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { adoptionsResource } from "./adoptions/resource.js";
import { complianceEvents } from "./events.js";
import { frameworksResource } from "./frameworks/resource.js";
import { postureResource } from "./posture/resource.js";
import { recordsResource } from "./records/resource.js";
import { reportResource } from "./report/resource.js";

/** Frameworks, assessments of their controls, and the resulting posture. */
export const complianceArea = defineArea({
  name: "compliance",
  resources: [recordsResource, frameworksResource, adoptionsResource, postureResource, reportResource],
  events: complianceEvents,
  extends: [defineEventReaders({ compliance_report: ["ai-compliance:read"] })],
});
