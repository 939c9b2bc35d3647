import type { ObservedResource } from "#connectors/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { ExternalReference } from "./schema.js";

/** How long a resource is missing before it can be retired, in milliseconds. */
export const RETIRE_AFTER = daysMs(1);

const ATTRIBUTE_BYTES = 16_384;

const Listed = z.object({
  type: z.string(),
  externalId: z.string().min(1).max(500),
  name: z.string().trim().min(1),
  parent: ExternalReference.optional(),
  attributes: z
    .record(z.string(), z.unknown())
    .refine((attributes) => JSON.stringify(attributes).length <= ATTRIBUTE_BYTES)
    .optional(),
  sensitivity: z.enum(["low", "medium", "high", "critical"]).optional(),
  labels: z.array(z.string().trim().min(1).max(100)).max(50).optional(),
});

/** What a listing says of a resource, without differences that mean nothing. */
export interface DescribedResource {
  readonly externalId: string;
  readonly name: string;
  readonly parent: z.output<typeof ExternalReference> | null;
  readonly attributes: Record<string, unknown>;
  readonly labels: string[];
  readonly sensitivity: "low" | "medium" | "high" | "critical" | null;
  readonly fingerprint: string;
}

/** Reads an entry of a listing; `undefined` when it cannot be used. */
export function readResource(type: string, entry: ObservedResource): DescribedResource | undefined {
  const { success, data } = Listed.safeParse(entry);
  if (!success || data.type !== type) return undefined;
  const described = {
    externalId: data.externalId,
    name: nameOf(data.name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ")),
    parent: data.parent ?? null,
    attributes: withoutNothing(data.attributes ?? {}) as Record<string, unknown>,
    labels: [...new Set(data.labels)].sort(),
    sensitivity: data.sensitivity ?? null,
  };
  return { ...described, fingerprint: sha256(canonical(described)) };
}

/** A JSON value in which absent, `null`, empty texts and empty lists are the same. */
export function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).flatMap(([name, entry]) => {
    const clean = withoutNothing(entry);
    const isNothing =
      clean === null || clean === undefined || clean === "" || (Array.isArray(clean) && clean.length === 0);
    return isNothing ? [] : [[name, clean] as const];
  });
  return Object.fromEntries(kept);
}
