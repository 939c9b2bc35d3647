import { type Collection, collections } from "@reeve/core/reference";
import { snake } from "./names.js";
import type { TableSpec } from "./table-spec.js";

/** What the SQL console shows of a table. Removed rows are never visible. */
export interface ConsoleView {
  readonly name: string;
  readonly columns: readonly string[];
  /** The table keeps removed rows. */
  readonly removes: boolean;
  /** Properties removed from the record's JSON. Absent when the JSON is not shown. */
  readonly without?: readonly string[];
}

const OWN = ["tenant_id", "id", "version", "created_at"];

/** Tables without a collection. Events hold no secrets, so their data is shown. */
const KERNEL: readonly ConsoleView[] = [
  { name: "events", columns: ["tenant_id", "seq", "id", "time", "attributes", "data"], removes: false },
  { name: "event_streams", columns: ["tenant_id", "stream", "seq"], removes: false },
  { name: "chain_heads", columns: ["tenant_id", "seq", "hash"], removes: false },
  { name: "counters", columns: ["tenant_id", "collection", "field", "value", "n"], removes: false },
];

/**
 * The views of the console: one per table, without what its collection declares secret. Only ids and times are shown
 * for an unknown collection, and for one that is no resource and declares no secrets.
 */
export function consoleViews(
  specs: readonly TableSpec[],
  declared: readonly Collection[] = collections,
): readonly ConsoleView[] {
  const byName = new Map(declared.map((collection) => [collection.name, collection]));
  return [...KERNEL, ...specs.map((spec) => viewOf(spec, byName.get(spec.name)))];
}

function viewOf({ name, columns }: TableSpec, collection: Collection | undefined): ConsoleView {
  const secrets = collection?.secrets ?? (collection?.resource ? [] : undefined);
  if (!secrets) return { name, columns: OWN, removes: true };
  const hidden = new Set(secrets.map(snake));
  const shown = Object.keys(columns).filter((column) => !hidden.has(column));
  return { name, columns: [...OWN, ...shown], removes: true, without: secrets };
}
