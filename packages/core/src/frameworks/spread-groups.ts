import type { BuiltinFramework, EvidenceRequirement, FrameworkControl } from "./schema.js";

/** A control in a file: what differs from the others of its group, and from the usual. */
type Line = Partial<FrameworkControl> & Pick<FrameworkControl, "id" | "title" | "guidance">;

/** A file of a built-in framework. Its schema is `FrameworkFields`, once the groups are spread out. */
export interface FrameworkFile extends Omit<BuiltinFramework, "controls"> {
  readonly groups: readonly {
    /** Where the source says so: the id of the control follows it. */
    readonly source: string;
    readonly shared?: Partial<FrameworkControl>;
    readonly controls: readonly Line[];
  }[];
}

/** One document, no older than a year. */
const YEARLY_DOCUMENT: EvidenceRequirement = { type: "document", minCount: 1, freshnessDays: 365 };

/** The framework of a file. */
export function frameworkOf({ groups, ...fields }: FrameworkFile): BuiltinFramework {
  const controls = groups.flatMap(({ source, shared, controls: lines }) =>
    lines.map((line) => controlOf({ ...shared, ...line }, source, fields.checkedOn)),
  );
  return { ...fields, controls };
}

/** A control with rules is hybrid by default. All but automated ones ask for one document a year. */
function controlOf(line: Line, source: string, reviewedAt: string | null): FrameworkControl {
  const kind = line.kind ?? (line.policyRules ? "hybrid" : "manual");
  return {
    parent: null,
    applicability: null,
    appliesFrom: null,
    roles: [],
    policyRules: [],
    automation: "",
    evidence: kind === "automated" ? [] : [YEARLY_DOCUMENT],
    weight: 1,
    note: "",
    selectable: false,
    ...line,
    kind,
    sourceRef: `${source}${line.id}`,
    reviewedAt,
  };
}
