import { schemaInOrder } from "#kernel/events/schema-order.js";
import type { McpTool } from "#ports/mcp.js";
import type { Offer } from "../manifest/manifest.js";
import { claimedHarm } from "./effects.js";
import { cosmetic, type FieldChange, fieldChanges, MOST_CHANGES, shown } from "./field-changes.js";
import { renamesAmong } from "./renames.js";
import { type DriftSeverity, mostSevere } from "./severity.js";

type Entry = Readonly<Record<string, unknown>>;

/** One entry that differs from what was approved. */
export interface DriftItem {
  readonly kind: "tool" | "prompt" | "resource_template" | "instructions";
  /** Name of the entry, or the URI template of a resource template. */
  readonly name: string;
  /** `renamed`: an added entry that resembles a removed one. It is reviewed as a new entry. */
  readonly change: "added" | "removed" | "changed" | "renamed";
  /** The presumed former name. */
  readonly from: string | null;
  readonly severity: DriftSeverity;
  readonly changes: readonly EffectChange[];
}

export type EffectChange = Omit<FieldChange, "rule"> & {
  readonly rule: FieldChange["rule"] | "more_harm" | "less_harm";
};

/** All differences of `current` from what was approved, by kind and name. Empty when there are none. */
export function compareOffers(approved: Offer, current: Offer): DriftItem[] {
  return [
    ...instructionsDrift(approved.instructions, current.instructions),
    ...entriesDrift("tool", byKey(approved.tools, "name"), byKey(current.tools, "name")),
    ...entriesDrift("prompt", byKey(approved.prompts, "name"), byKey(current.prompts, "name")),
    ...entriesDrift(
      "resource_template",
      byKey(approved.resourceTemplates, "uriTemplate"),
      byKey(current.resourceTemplates, "uriTemplate"),
    ),
  ];
}

function instructionsDrift(before: string | null, after: string | null): DriftItem[] {
  if (before === after) return [];
  const minor = cosmetic(before, after);
  const severity = minor ? "low" : "high";
  const rule = minor ? "cosmetic" : "text";
  return [
    {
      kind: "instructions",
      name: "instructions",
      change: before === null ? "added" : after === null ? "removed" : "changed",
      from: null,
      severity,
      changes: [{ pointer: "/instructions", before: shown(before), after: shown(after), severity, rule }],
    },
  ];
}

function entriesDrift(
  kind: DriftItem["kind"],
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
): DriftItem[] {
  const added = new Map([...after].filter(([name]) => !before.has(name)));
  const removed = new Map([...before].filter(([name]) => !after.has(name)));
  const renames = renamesAmong(removed, added);
  const items = [...after].flatMap(([name, entry]): DriftItem[] => {
    const former = renames.get(name);
    if (former !== undefined) return [changed(kind, name, "renamed", former, removed.get(former) as Entry, entry)];
    const known = before.get(name);
    if (!known) return [{ kind, name, change: "added", from: null, severity: "medium", changes: [] }];
    const item = changed(kind, name, "changed", null, known, entry);
    return item.changes.length === 0 ? [] : [item];
  });
  const renamed = new Set(renames.values());
  const gone = [...removed.keys()]
    .filter((name) => !renamed.has(name))
    .map((name): DriftItem => ({ kind, name, change: "removed", from: null, severity: "medium", changes: [] }));
  return [...items, ...gone].sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
}

function changed(
  kind: DriftItem["kind"],
  name: string,
  change: "changed" | "renamed",
  from: string | null,
  before: Entry,
  after: Entry,
): DriftItem {
  const effects = kind === "tool" ? effectChanges(before as Entry & McpTool, after as Entry & McpTool) : [];
  const changes = [...effects, ...fieldChanges(comparable(before), comparable(after))].slice(0, MOST_CHANGES);
  const severity = mostSevere([
    ...changes.map((each) => each.severity),
    ...(change === "renamed" ? ["medium" as const] : []),
  ]);
  return { kind, name, change, from, severity: severity ?? "low", changes };
}

/** What of an entry is approved, without order that means nothing. Icons are only shown. */
function comparable({ icons: _icons, leftOut: _leftOut, ...entry }: Entry): Entry {
  const inOrder = ([name, value]: [string, unknown]): [string, unknown] => {
    const isSchema = (name === "inputSchema" || name === "outputSchema") && typeof value === "object" && value !== null;
    return [name, isSchema ? schemaInOrder(value as Entry) : value];
  };
  return Object.fromEntries(Object.entries(entry).map(inOrder));
}

/** What a change of annotations means for effects. A change from read-only to destructive is the most severe. */
function effectChanges({ annotations: before }: McpTool, { annotations: after }: McpTool): EffectChange[] {
  const [was, is] = [claimedHarm(before), claimedHarm(after)];
  if (was === is) return [];
  const reported = { pointer: "/annotations", before: HARM[was], after: HARM[is] };
  if (is > was) return [{ ...reported, severity: is === 2 ? "critical" : "high", rule: "more_harm" }];
  return [{ ...reported, severity: "medium", rule: "less_harm" }];
}

const HARM = ["reads only", "adds", "may destroy"] as const;

function byKey<K extends string>(entries: readonly { readonly [key in K]: string }[], key: K): Map<string, Entry> {
  return new Map(entries.map((entry) => [entry[key], entry as unknown as Entry]));
}
