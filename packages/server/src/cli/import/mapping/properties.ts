import { nearName } from "@reeve/core/names";
import { Failure } from "../../../failure.js";
import type { Schema } from "./schema.js";

/** A property of an item, by the names that lead to it. */
export interface Property {
  readonly name: string;
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** Names that reach into prototypes where a program is careless. No property has them. */
const PROTOTYPES: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** The properties that an item of an import may have, under names with dots such as `owner.id`. */
export class Properties {
  readonly #names: readonly string[];

  constructor(readonly item: Schema) {
    this.#names = namesIn(item, "").sort((one, other) => rankOf(one) - rankOf(other));
  }

  /** The property of this name; `undefined` for none. */
  find(name: string): Property | undefined {
    const [path, schema] = [[] as string[], this.item];
    return found(name, name.split("."), path, schema);
  }

  /** The property of this name. Throws a `Failure` that says where it was named, and which one may be meant. */
  get(name: string, where: string): Property {
    const property = this.find(name);
    if (!property) throw new Failure(`${where}: "${name}" is no property of an asset${this.meant(name)}`);
    const { properties } = property.schema;
    if (!properties || isParty(property.schema)) return property;
    const parts = Object.keys(properties);
    const example = parts.includes("id") ? "id" : parts[0];
    throw new Failure(
      `${where}: \`${name}\` is {${parts.join(", ")}}; name a part of it, such as "${name}.${example}"`,
    );
  }

  /** A question for the property that a name may have meant; empty when none is near. */
  meant(name: string): string {
    const last = (text: string) => text.slice(text.lastIndexOf(".") + 1).toLowerCase();
    const namesake = () => this.#names.find((known) => last(known) === last(name));
    const near = nearName(name, this.#names) ?? namesake();
    return near === undefined ? "" : `; did you mean "${near}"?`;
  }
}

/** Whether a value is a person, team or machine that answers for something. */
export function isParty({ properties = {} }: Schema): boolean {
  return ["type", "id", "name"].every((name) => Object.hasOwn(properties, name));
}

/** Of names alike, one at the top comes first, then the id of the asset and its record. */
function rankOf(name: string): number {
  const [holder = "", inner] = name.split(".");
  return inner === undefined ? 0 : ["externalRef", "record"].includes(holder) ? 1 : 2;
}

function found(name: string, rest: readonly string[], path: readonly string[], schema: Schema): Property | undefined {
  const [next, ...others] = rest;
  if (next === undefined) return { name, path, schema };
  if (PROTOTYPES.has(next) || next === "") return undefined;
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, next)) return found(name, others, [...path, next], properties[next] ?? {});
  if (path.length === 0 || !additionalProperties) return undefined;
  // A key of one's own, which may hold dots itself.
  const key = rest.join(".");
  return { name, path: [...path, key], schema: additionalProperties === true ? {} : additionalProperties };
}

function namesIn({ properties = {} }: Schema, before: string): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    `${before}${name}`,
    ...namesIn(schema, `${before}${name}.`),
  ]);
}
