import { canonical } from "#kernel/events/canonical.js";
import { schemaInOrder } from "#kernel/events/schema-order.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { Sha256 } from "../assets/fields.js";

/** The algorithm of a tool's pin: SHA-256 of the canonical JSON of its content. */
export const PIN_ALGORITHM = "mcp-tool/1";

/** The digests of a tool's current and approved content. */
export const Pin = z.object({
  alg: z.string().meta({ description: "Algorithm of the digests." }),
  current: Sha256.nullable().meta({ description: "SHA-256 of what it says." }),
  approved: Sha256.nullable().meta({ description: "SHA-256 of what was approved." }),
  state: z.enum(["unapproved", "in_sync", "drifted"]).meta({ description: "How the two compare." }),
  approvedAt: Time.nullable().meta({ description: "When it was approved." }),
  approvedBy: z.string().nullable().meta({ description: "Id of who approved it." }),
});
export type Pin = z.output<typeof Pin>;

export const NO_PIN: Pin = {
  alg: PIN_ALGORITHM,
  current: null,
  approved: null,
  state: "unapproved",
  approvedAt: null,
  approvedBy: null,
};

/** The content of a tool, with the names of the record's fields. */
export interface ToolContent {
  readonly toolName: string | null;
  readonly title: string | null;
  readonly toolDescription: string | null;
  readonly inputSchema: Readonly<Record<string, unknown>> | null;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly annotations: Readonly<Record<string, unknown>> | null;
  /** How it is run. */
  readonly execution: Readonly<Record<string, unknown>> | null;
  /** The member `_meta`. */
  readonly meta: Readonly<Record<string, unknown>> | null;
}

export const CONTENT_NAMES = [
  "toolName",
  "title",
  "toolDescription",
  "inputSchema",
  "outputSchema",
  "annotations",
  "execution",
  "meta",
] as const satisfies readonly (keyof ToolContent)[];

/** The digest of a tool's content. `null` and absent members count the same, and so does order that means nothing. */
export function pinOf(content: ToolContent): string {
  const { toolName, toolDescription, title, annotations, execution, meta } = content;
  const inputSchema = content.inputSchema && schemaInOrder(content.inputSchema);
  const outputSchema = content.outputSchema && schemaInOrder(content.outputSchema);
  const said = {
    ...{ name: toolName, title, description: toolDescription, inputSchema, outputSchema, annotations, execution },
    _meta: meta,
  };
  return sha256(canonical(Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null))));
}

type Algorithms = Readonly<Record<string, (content: ToolContent) => string>>;

/** All algorithms of pins. Older ones stay, to check existing pins. */
export const PIN_ALGORITHMS: Algorithms = { [PIN_ALGORITHM]: pinOf };

/**
 * The pin for this content. A pin by an older algorithm moves to `latest` only while the approved content is unchanged.
 * So a new algorithm causes no reviews and approves no changes.
 */
export function followPin(
  pin: Pin,
  content: ToolContent,
  latest: string = PIN_ALGORITHM,
  algorithms: Algorithms = PIN_ALGORITHMS,
): Pin {
  const digestBy = (alg: string) => algorithms[alg]?.(content) ?? null;
  if (pin.alg === latest) return withCurrent(pin, digestBy(latest));
  const older = withCurrent(pin, digestBy(pin.alg));
  if (older.state === "drifted") return older;
  const current = digestBy(latest);
  return { ...older, alg: latest, current, approved: older.state === "in_sync" ? current : null };
}

/** The pin with another digest of the current content. */
export function withCurrent(pin: Pin, current: string | null): Pin {
  const { approved } = pin;
  const state = approved === null ? "unapproved" : approved === current ? "in_sync" : "drifted";
  return { ...pin, current, state };
}

/** The pin with the current content approved. */
export function withApproval(pin: Pin, approvedAt: string, approvedBy: string): Pin {
  return { ...pin, approved: pin.current, state: "in_sync", approvedAt, approvedBy };
}
