import type { DiscoveredAsset } from "#connectors/index.js";
import { ASSET_TYPES, Label, RECORD_KINDS } from "#families/estate/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { withoutUnfit } from "#kernel/http/free-values.js";
import { holdsSecret } from "#kernel/http/secrets-in-text.js";
import { isListed } from "#kernel/records/authority.js";
import { z } from "#schema/z.js";
import { Find, type LeftOutOfItem, Members, ODD, TAGS, TEXTS, withoutOdd } from "./odd-parts.js";

/** The most bytes of one discovered asset as JSON. */
const BYTES = 32_768;
/** The most places of a find that are kept. */
const FINDS = 20;

/** A discovered asset as it is kept. Connectors are not trusted to keep to their types. */
const Content = z.object({
  externalId: Label,
  assetType: z.enum(ASSET_TYPES),
  name: z.string().trim().min(1).max(200),
  provider: z.string().trim().max(200).optional(),
  ...TEXTS,
  tags: z.array(Label).max(TAGS).optional(),
  metadata: Members.optional(),
  record: Members.optional(),
  found: z
    .array(Find)
    .transform((finds) => finds.slice(0, FINDS))
    .optional(),
});

export type Content = z.output<typeof Content> & { readonly leftOut?: readonly LeftOutOfItem[] };

type Kind = (typeof RECORD_KINDS)[number];
const kindOf = (type: string) => RECORD_KINDS.find(({ assetType }) => assetType === type);

/** Why an entry of a listing cannot be used. */
export interface Unusable {
  readonly reason: string;
}

/**
 * A discovered asset, checked. Parts of an odd form are left out and named; an odd id, type, name or provider, which tell
 * which asset it is, refuse it.
 */
export function readContent(given: DiscoveredAsset): Content | Unusable {
  const { read, leftOut } = readable(given);
  const { data, error } = read;
  if (!data) {
    const [issue] = error.issues;
    return { reason: `${issue?.path.join(".") || "It"}: ${issue?.message ?? "is not valid"}` };
  }
  try {
    return Buffer.byteLength(canonical(data)) > BYTES
      ? { reason: `It is larger than ${BYTES} bytes.` }
      : shown(withinSay(data, leftOut));
  } catch {
    return { reason: "It is no valid Unicode." };
  }
}

/** What is as it should be is read once; only the odd is read again without its odd parts. */
function readable(given: DiscoveredAsset) {
  const read = Content.safeParse(given);
  if (read.success) return { read, leftOut: [] };
  const { asset, leftOut } = withoutOdd(given);
  return { read: Content.safeParse(asset), leftOut };
}

const UNFIT = "It holds a secret, or an address that runs.";

/** Free parts without secrets and addresses that run, which are left out and named: all that is kept is shown. */
function shown(content: Content): Content | Unusable {
  const { externalId, assetType, leftOut = [], found, ...said } = content;
  if (holdsSecret(externalId)) return { reason: "Its id holds a secret." };
  const left: string[] = [];
  const fit = withoutUnfit(said, left) ?? said;
  if (left.includes("name")) return { reason: "Its name holds a secret." };
  const finds = found?.filter((find) => withoutUnfit(find, left)?.location !== undefined);
  if (left.length === 0) return content;
  const hidden = [...new Set(left)].sort().map((part) => ({ part, reason: UNFIT }));
  return { externalId, assetType, ...fit, found: finds, leftOut: [...leftOut, ...hidden] };
}

/**
 * What a target may say of an asset. What it claims beyond that is left out and named, and becomes no right here. A
 * field of an odd form is left out whole: a card without its odd part would be another one than was signed.
 */
function withinSay(content: Content, odd: readonly LeftOutOfItem[]): Content {
  const { record = {}, assetType } = content;
  const kind = kindOf(assetType);
  const reasons = Object.entries(record).map(([name, value]) => [name, kind && whyNot(kind, name, value)] as const);
  const left = new Map(reasons.flatMap(([name, reason]) => (reason === undefined ? [] : [[name, reason] as const])));
  const leftOut = [...odd, ...[...left].sort().map(([name, reason]) => ({ part: `record.${name}`, reason }))];
  if (leftOut.length === 0) return content;
  const said = Object.fromEntries(Object.entries(record).filter(([name]) => !left.has(name)));
  return { ...content, ...(content.record ? { record: said } : {}), leftOut };
}

/** Why a field of a record is left out. */
function whyNot({ fields: { shape } }: Kind, name: string, value: unknown): string | undefined {
  const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
  if (!field || !isListed(field)) return "Only people set it.";
  return value === null || z.safeParse(field, value).success ? undefined : ODD;
}

/**
 * Who provides an asset. What its target does not say is provided by the connected system itself, so that equal ids of
 * two systems are two assets.
 */
export const providerOf = ({ provider }: Content, system: { readonly name: string }) => provider ?? system.name;

/** Fields of an asset that its target describes. Finds are evidence and no description. */
export const DESCRIBED = [
  "name",
  "description",
  "provider",
  "environment",
  "ownerHint",
  "tags",
  "metadata",
  "record",
] as const satisfies readonly (keyof Content)[];

export interface Difference {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a target says otherwise than before. Fields of records are named one by one. */
export function differencesOf(before: Content, after: Content): Difference[] {
  return DESCRIBED.flatMap((field) => {
    if (field === "record" || field === "metadata") return inner(field, before[field] ?? {}, after[field] ?? {});
    return differs(before[field], after[field])
      ? [{ field, before: before[field] ?? null, after: after[field] ?? null }]
      : [];
  });
}

function inner(name: string, before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return fields
    .filter((field) => differs(before[field], after[field]))
    .map((field) => ({ field: `${name}.${field}`, before: before[field] ?? null, after: after[field] ?? null }));
}

/** Absent, `null`, empty texts and empty lists are the same. */
function differs(one: unknown, other: unknown): boolean {
  return canonical(normal(one)) !== canonical(normal(other));
}

function normal(value: unknown): unknown {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0) ? null : value;
}
