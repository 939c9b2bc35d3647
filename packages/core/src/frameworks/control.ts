import type { EvidenceRequirement, FrameworkControl } from "./schema.js";

/** The day on which all built-in frameworks were last compared with their sources. */
export const CHECKED_ON = "2026-11-22";

/** The properties that differ between controls of a built-in framework. */
interface Particular extends Partial<Omit<FrameworkControl, "id" | "title" | "sourceRef" | "reviewedAt">> {
  readonly id: string;
  readonly title: string;
}

/** One document, no older than a year. */
const YEARLY_DOCUMENT: readonly EvidenceRequirement[] = [{ type: "document", minCount: 1, freshnessDays: 365 }];

/**
 * Controls whose place in the source is the prefix plus the id. A control with rules is hybrid by default. All but
 * automated ones ask for one document a year.
 */
export function controlsOf(prefix: string, lines: readonly Particular[]): FrameworkControl[] {
  return lines.map(({ id, title, ...line }) => {
    const kind = line.kind ?? (line.policyRules ? "hybrid" : "manual");
    return {
      parent: null,
      applicability: null,
      appliesFrom: null,
      appliesTo: "both",
      policyRules: [],
      evidence: kind === "automated" ? [] : [...YEARLY_DOCUMENT],
      weight: 1,
      remediation: "",
      ...line,
      id,
      title,
      kind,
      sourceRef: `${prefix}${id}`,
      reviewedAt: CHECKED_ON,
    };
  });
}
