import type { EvidenceRequirement, FrameworkControl } from "./schema.js";

/** The day on which all built-in frameworks were last compared with their sources. */
export const CHECKED_ON = "2026-11-22";

/** The properties that differ between controls of a built-in framework. */
export interface Particular
  extends Partial<Omit<FrameworkControl, "id" | "title" | "guidance" | "sourceRef" | "reviewedAt">> {
  readonly id: string;
  readonly title: string;
  readonly guidance: string;
}

/** Properties that many controls of a framework have in common. */
export type Shared = Omit<Partial<Particular>, "id" | "title" | "guidance">;

/** One document, no older than a year. */
const YEARLY_DOCUMENT: readonly EvidenceRequirement[] = [{ type: "document", minCount: 1, freshnessDays: 365 }];

/**
 * Controls whose place in the source is the prefix plus the id. A control with rules is hybrid by default. All but
 * automated ones ask for one document a year.
 */
export function controlsOf(prefix: string, lines: readonly Particular[], shared: Shared = {}): FrameworkControl[] {
  return lines.map((own) => {
    const line = { ...shared, ...own };
    const kind = line.kind ?? (line.policyRules ? "hybrid" : "manual");
    return {
      parent: null,
      applicability: null,
      appliesFrom: null,
      roles: [],
      policyRules: [],
      automation: "",
      evidence: kind === "automated" ? [] : [...YEARLY_DOCUMENT],
      weight: 1,
      note: "",
      selectable: false,
      ...line,
      kind,
      sourceRef: `${prefix}${line.id}`,
      reviewedAt: CHECKED_ON,
    };
  });
}
