import { z } from "zod";
import { canonical } from "../../../../kernel/events/canonical.js";
import { sha256 } from "../../../../kernel/events/chain.js";
import { Time } from "../../../../kernel/records/record.js";
import { Sha256 } from "../../records/fields.js";

/** How a tool's pin is made: the SHA-256 of the canonical JSON of what it says of itself. */
export const PIN_ALGORITHM = "mcp-tool/1";

/** What a tool says now, and what it said when it was approved, as digests. */
export const Pin = z.object({
  alg: z.string(),
  current: Sha256.nullable(),
  approved: Sha256.nullable(),
  state: z.enum(["unapproved", "in_sync", "drifted"]),
  approvedAt: Time.nullable(),
  approvedBy: z.string().nullable(),
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

/** What a tool says of itself, under the names it has on the record. */
export interface ToolContent {
  readonly toolName: string | null;
  readonly title: string | null;
  readonly toolDescription: string | null;
  readonly inputSchema: Readonly<Record<string, unknown>> | null;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly annotations: Readonly<Record<string, unknown>> | null;
}

export const CONTENT_NAMES = [
  "toolName",
  "title",
  "toolDescription",
  "inputSchema",
  "outputSchema",
  "annotations",
] as const satisfies readonly (keyof ToolContent)[];

/** The digest of what a tool says. What it leaves out is left out, so that `null` and absent are the same. */
export function pinOf({
  toolName,
  toolDescription,
  title,
  inputSchema,
  outputSchema,
  annotations,
}: ToolContent): string {
  const said = { name: toolName, title, description: toolDescription, inputSchema, outputSchema, annotations };
  return sha256(canonical(Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null))));
}

type Algorithms = Readonly<Record<string, (content: ToolContent) => string>>;

/** Every way pins were ever made, so that one made in an older way can still be checked. */
export const PIN_ALGORITHMS: Algorithms = { [PIN_ALGORITHM]: pinOf };

/**
 * The pin once the tool says `content`. One made by an older algorithm moves on to the `latest` only while what was approved is
 * still what is said: a new algorithm neither sends everything back to review nor approves what has changed.
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

/** The pin with another digest of what the tool says now. */
export function withCurrent(pin: Pin, current: string | null): Pin {
  const { approved } = pin;
  const state = approved === null ? "unapproved" : approved === current ? "in_sync" : "drifted";
  return { ...pin, current, state };
}

/** The pin with what the tool says now as what is approved. */
export function withApproval(pin: Pin, approvedAt: string, approvedBy: string): Pin {
  return { ...pin, approved: pin.current, state: "in_sync", approvedAt, approvedBy };
}
