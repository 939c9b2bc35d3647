import { queryOptions } from "@tanstack/react-query";
import { client, type components } from "../../api/client.js";
import { figureKey } from "../../api/keys.js";
import { compliance } from "../../texts/en/compliance.js";
import type { Tone } from "../../ui/status-badge.js";

export type Posture = components["schemas"]["ComplianceFrameworkPosture"];
export type Control = Posture["controls"][number];
export type ControlState = Control["state"];
export type Listed = components["schemas"]["ComplianceFrameworkSummary"];

export const CONTROL_STATES = Object.keys(compliance.states) as readonly ControlState[];

/** Not assessed is neither good nor bad: it is unknown, and has the colour of that. */
export const CONTROL_TONES: Readonly<Record<ControlState, Tone>> = {
  compliant: "good",
  partial: "warning",
  non_compliant: "bad",
  exempted: "warning",
  not_assessed: "unknown",
  not_applicable: "neutral",
  upcoming: "neutral",
};

/** What makes the figures of compliance stale. */
const MOVED = ["compliance", "compliance_adoption", "compliance_framework", "finding", "evaluation_run", "ai_policy"];

export const postureKey = (part: string) => figureKey(`posture ${part}`, MOVED);

export const frameworkPostureQuery = (key: string) =>
  queryOptions({
    queryKey: postureKey(key),
    queryFn: async ({ signal }): Promise<Posture> =>
      (await client.GET("/api/v1/ai/compliance/frameworks/{key}/posture", { params: { path: { key } }, signal })).data,
  });

interface Counts {
  readonly compliant: number;
  readonly partial: number;
  readonly nonCompliant: number;
  readonly exempted: number;
  readonly notAssessed: number;
  readonly notApplicable: number;
  readonly upcoming: number;
}

/** Controls by state, in the order of the states. */
export const countsOf = (counts: Counts): readonly (readonly [ControlState, number])[] => [
  ["compliant", counts.compliant],
  ["partial", counts.partial],
  ["non_compliant", counts.nonCompliant],
  ["exempted", counts.exempted],
  ["not_assessed", counts.notAssessed],
  ["not_applicable", counts.notApplicable],
  ["upcoming", counts.upcoming],
];
