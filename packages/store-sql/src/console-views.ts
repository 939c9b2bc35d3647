import { collections } from "@reeve/core/reference";
import type { Collection } from "@reeve/core/store";
import { snake } from "./names.js";
import type { TableSpec } from "./table-spec.js";

/** What the SQL console sees of one table. Removed rows are never seen. */
export interface ConsoleView {
  readonly name: string;
  readonly columns: readonly string[];
  /** The table marks removed rows. */
  readonly removes: boolean;
  /** Properties taken out of the record's JSON; absent where the JSON is not shown. */
  readonly without?: readonly string[];
}

const OWN = ["tenant_id", "id", "version", "created_at"];

/** The tables no collection stands for. What events hold was fit to be told when they were written. */
const KERNEL: readonly ConsoleView[] = [
  { name: "events", columns: ["tenant_id", "seq", "id", "time", "attributes", "data"], removes: false },
  { name: "event_streams", columns: ["tenant_id", "stream", "seq"], removes: false },
  { name: "chain_heads", columns: ["tenant_id", "seq", "hash"], removes: false },
  { name: "counters", columns: ["tenant_id", "collection", "field", "value", "n"], removes: false },
];

/**
 * The views of the console: one for each table, without what its collection declares secret. A table whose collection is
 * unknown, or says nothing about secrets and is no resource, shows ids and times only.
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
