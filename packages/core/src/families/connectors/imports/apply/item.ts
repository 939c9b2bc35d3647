import type { Find } from "#connectors/index.js";
import { type ImportItem, RECORD_KINDS } from "#families/estate/index.js";
import { type Content, type Difference, providerOf } from "../plan/content.js";

const WITH_RECORD: ReadonlySet<string> = new Set(RECORD_KINDS.map(({ assetType }) => assetType));
const DETAIL = 2_000;

/** Who found it, and when. */
export interface Observer {
  readonly name: string;
  readonly at: string;
}

/** A new asset, as an import takes it. Nobody owns it yet. */
export function newItem(content: Content, observer: Observer): ImportItem {
  const { externalId, assetType, name, description, environment, record } = content;
  const own = WITH_RECORD.has(assetType);
  return {
    name,
    assetType,
    status: "discovered",
    source: "connector",
    externalRef: { source: observer.name, id: externalId },
    evidence: evidenceOf(content, observer),
    ...(description === undefined ? {} : { description }),
    provider: providerOf(content, observer),
    ...(environment === undefined ? {} : { environment }),
    metadata: metadataOf(content),
    ...(own && record ? { record } : {}),
  };
}

/** The part of an asset that its target describes otherwise than before. */
export function changedItem(content: Content, differences: readonly Difference[], observer: Observer): ImportItem {
  const names = new Set(differences.map(({ field }) => field));
  const {
    metadata: _all,
    record = {},
    status: _new,
    ...whole
  } = newItem(content, observer) as ImportItem & {
    record?: Record<string, unknown>;
  };
  const described = ["name", "description", "provider", "environment"];
  const kept = Object.entries(whole).filter(([field]) => !described.includes(field) || names.has(field));
  const changed = Object.entries(record).filter(([field]) => names.has(`record.${field}`));
  return { ...Object.fromEntries(kept), ...(changed.length > 0 ? { record: Object.fromEntries(changed) } : {}) };
}

/** What a target says besides the fields of an asset. */
export function metadataOf({
  assetType,
  metadata = {},
  tags = [],
  ownerHint,
  record,
}: Content): Record<string, unknown> {
  return {
    ...metadata,
    ...(tags.length > 0 ? { tags } : {}),
    ...(ownerHint === undefined ? {} : { ownerHint }),
    ...(record && !WITH_RECORD.has(assetType) ? { record } : {}),
  };
}

/** Metadata of an asset after its target has changed what it says. What people have added stays. */
export function joinedMetadata(
  held: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const own = Object.entries(held).filter(([name]) => !Object.hasOwn(before, name));
  return { ...Object.fromEntries(own), ...after };
}

export function evidenceOf({ found = [] }: Pick<Content, "found">, { name, at }: Observer) {
  const details = found.length > 0 ? found.map(placeOf) : ["Listed by the target."];
  return details.map((detail) => ({ source: name, detail: detail.slice(0, DETAIL), at }));
}

function placeOf({ location, revision, line }: Find): string {
  return [location, revision === undefined ? "" : ` at ${revision}`, line === undefined ? "" : `, line ${line}`].join(
    "",
  );
}
