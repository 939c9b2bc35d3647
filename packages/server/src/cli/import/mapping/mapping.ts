import { Failure } from "../../../failure.js";
import { isObject } from "../rows/row.js";
import { converted, isBlank } from "./convert.js";
import type { ColumnRule, MappingFile } from "./mapping-file.js";
import type { Properties, Property } from "./properties.js";

/** What the options of a command say beside a mapping file. */
export interface MappingOptions {
  /** `column=property`, with an empty property for a column that is left out. */
  readonly map: readonly string[];
  /** `property=value`. */
  readonly default: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

interface Rule {
  readonly column: string;
  readonly property: Property;
  readonly words: ReadonlyMap<string, unknown>;
  readonly otherwise: unknown;
  readonly separator: string | undefined;
}

interface Value {
  readonly property: Property;
  readonly value: unknown;
}

/** The property by which an asset is known again. */
const IDENTITY = "externalRef.id";
/** Most columns that are remembered as left out. */
const MOST_LEFT_OUT = 100;

/** Makes items of rows: by the mapping, and by the names of columns that are names of properties. */
export class Mapping {
  readonly #rules: readonly Rule[];
  readonly #constants: readonly Value[];
  readonly #defaults: readonly Value[];
  readonly #known = new Map<string, readonly Rule[]>();
  /** The columns that options name. */
  readonly #named: MappingFile["columns"];
  readonly #leftOut = new Set<string>();

  /** Throws a `Failure` where the mapping names what is no property. */
  constructor(
    private readonly properties: Properties,
    private readonly file: MappingFile,
    options: MappingOptions,
  ) {
    this.#named = columnsOf(options.map);
    const columns = { ...file.columns, ...this.#named };
    for (const [column, target] of Object.entries(columns)) this.#known.set(column, this.#rulesOf(column, target));
    this.#rules = [...this.#known.values()].flat();
    this.#constants = this.#valuesOf(Object.entries(file.constants), "constants");
    const defaults = [...Object.entries(file.defaults), ...options.default.map((pair) => split(pair, "--default"))];
    this.#defaults = this.#valuesOf(defaults, "defaults");
  }

  /** Columns that were met and left out because no property has their name. */
  get leftOut(): readonly string[] {
    return [...this.#leftOut];
  }

  /**
   * The mapped columns that a table does not have. Throws a `Failure` where an option names one, or where no column says
   * which asset a row is.
   */
  missingFrom(header: readonly string[]): readonly string[] {
    const columns = [...new Set(this.#rules.map(({ column }) => column))];
    const missing = columns.filter((column) => !header.includes(column));
    const has = `the file has ${header.filter(Boolean).join(", ")}`;
    const named = missing.find((column) => Object.hasOwn(this.#named, column));
    if (named !== undefined) throw new Failure(`--map names the column "${named}"; ${has}`);
    const given = header.flatMap((column) => this.#known.get(column) ?? this.#byName(column));
    if (given.some(({ property }) => property.name === IDENTITY)) return missing;
    throw new Failure(`no column is \`${IDENTITY}\`, by which a later import knows an asset again; ${has}`);
  }

  /** The item of a row of a table, or of a JSON object. */
  itemOf(row: Row): object {
    const item: Record<string, unknown> = {};
    for (const { property, value } of this.#constants) put(item, property.path, value);
    for (const rule of this.#rules) this.#putColumn(item, rule, row);
    for (const column of Object.keys(row)) {
      for (const rule of this.#byName(column)) this.#putColumn(item, rule, row);
    }
    for (const { property, value } of this.#defaults) put(item, property.path, value);
    return withParties(item);
  }

  #putColumn(item: Record<string, unknown>, { column, property, words, otherwise, separator }: Rule, row: Row): void {
    const given = valueAt(row, column);
    if (isBlank(given)) return;
    const word = typeof given === "string" ? words.get(given.trim().toLowerCase()) : undefined;
    const value = word ?? (otherwise !== undefined && words.size > 0 ? otherwise : given);
    put(item, property.path, converted(value, property.schema, property.name, separator));
  }

  /** The rules of a column that the mapping does not name: it is a property by its own name, or left out. */
  #byName(column: string): readonly Rule[] {
    if (this.#known.has(column)) return [];
    const isPath = this.#rules.some((rule) => rule.column.startsWith(`${column}.`));
    const property = column === "" || isPath ? undefined : this.properties.find(column);
    if (!property && !isPath && column !== "" && this.#leftOut.size < MOST_LEFT_OUT) this.#leftOut.add(column);
    return property ? [this.#rule(column, { property: column }, property)] : [];
  }

  #rulesOf(column: string, target: MappingFile["columns"][string]): readonly Rule[] {
    if (target === null) return [];
    return [target].flat().map((each) => {
      const rule = typeof each === "string" ? { property: each } : each;
      return this.#rule(column, rule, this.properties.get(rule.property, `column "${column}"`));
    });
  }

  #rule(column: string, { values, otherwise, separator }: ColumnRule, property: Property): Rule {
    const shared = Object.hasOwn(this.file.values, property.name) ? this.file.values[property.name] : {};
    const words = Object.entries({ ...shared, ...values });
    return {
      column,
      property,
      words: new Map(words.map(([word, value]) => [word.trim().toLowerCase(), value])),
      otherwise,
      separator,
    };
  }

  #valuesOf(entries: readonly (readonly [string, unknown])[], where: string): readonly Value[] {
    return entries.map(([name, value]) => {
      const property = this.properties.get(name, where);
      return { property, value: converted(value, property.schema, name) };
    });
  }
}

/**
 * A value by the name of its column, or by a path with dots into a JSON object. A name in a list is the key of one of
 * its pairs.
 */
function valueAt(row: Row, column: string): unknown {
  if (Object.hasOwn(row, column)) return row[column];
  let value: unknown = row;
  for (const name of column.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    const holder: object = value;
    if (Object.hasOwn(holder, name)) value = (holder as Row)[name];
    else value = Array.isArray(holder) ? holder.find((pair) => isObject(pair) && pair.key === name)?.value : undefined;
  }
  return value;
}

/** Sets a value unless one is there. */
function put(item: Record<string, unknown>, path: readonly string[], value: unknown): void {
  if (isBlank(value)) return;
  let holder = item;
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(holder, name) || !isObject(holder[name])) holder[name] = {};
    holder = holder[name] as Record<string, unknown>;
  }
  const last = path.at(-1) ?? "";
  if (!Object.hasOwn(holder, last)) holder[last] = value;
  else if (isObject(holder[last]) && isObject(value))
    for (const [name, inner] of Object.entries(value)) put(item, [...path, name], inner);
}

/** Says of owners whose id or name alone was mapped what they are. */
function withParties(item: Record<string, unknown>): object {
  for (const name of ["owner", "sponsor", "team"]) {
    const party = item[name];
    if (!isObject(party) || party.type !== undefined) continue;
    const known = party.id ?? party.name;
    item[name] = { type: name === "team" ? "team" : "external", id: known, name: party.name ?? known, ...party };
  }
  return item;
}

function columnsOf(pairs: readonly string[]): MappingFile["columns"] {
  const columns = new Map<string, string[]>();
  for (const pair of pairs) {
    const [column, property] = split(pair, "--map");
    columns.set(column, [...(columns.get(column) ?? []), ...(property === "" ? [] : [property])]);
  }
  return Object.fromEntries([...columns].map(([column, targets]) => [column, targets.length > 0 ? targets : null]));
}

/** Divides at the last sign of equality, since a column may hold one and a property does not. */
function split(pair: string, option: string): readonly [string, string] {
  const at = option === "--map" ? pair.lastIndexOf("=") : pair.indexOf("=");
  if (at < 1)
    throw new Failure(`${option} "${pair}" wants ${option === "--map" ? "column=property" : "property=value"}`);
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}
