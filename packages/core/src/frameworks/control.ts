import type { EvidenceRequirement, FrameworkControl } from "./schema.js";

/** The day on which all built-in data was last held against its sources. */
export const CHECKED_ON = "2026-11-22";

/** What is particular to a control of a built-in framework. */
interface Particular extends Partial<Omit<FrameworkControl, "id" | "title" | "sourceRef" | "reviewedAt">> {
  readonly id: string;
  readonly title: string;
}

/** A paper or a statement of somebody, no older than a year. */
const YEARLY_DOCUMENT: readonly EvidenceRequirement[] = [{ type: "document", minCount: 1, freshnessDays: 365 }];

/** Controls whose place in their document is the prefix and the id: what rules judge is automated unless said otherwise, all else asks for a document a year. */
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
