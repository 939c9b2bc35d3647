import type { components } from "@reeve/client";

export type Manifest = components["schemas"]["ConnectorManifest"];

interface Property {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: { readonly type?: unknown };
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** A property of a connector's configuration, as one field of a form. */
export interface Setting {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly example: string | undefined;
  readonly kind: "text" | "long" | "number" | "boolean" | "choice" | "list" | "json" | "secret";
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  /** What counts when nothing is entered, in words. */
  readonly usual: string | undefined;
}

/** What is entered: the text of each field by name. An empty one says nothing. */
export type Entered = Readonly<Record<string, string>>;

export interface Configured {
  readonly configuration: Record<string, unknown>;
  /** Those that were entered. What is left out stays. */
  readonly secrets: Record<string, string>;
  /** Names of fields whose text is no JSON. */
  readonly unread: readonly string[];
}

/** A longer text than this is entered in several lines. */
const LINE = 4_000;

/** The fields of a connector, what it needs first, and secrets last. */
export function settingsOf({ configurationSchema: schema, secretPaths }: Manifest): readonly Setting[] {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, Property>>;
    readonly required?: readonly string[];
  };
  const settings = Object.entries(properties).map(([name, property]): Setting => {
    const kind = secretPaths.includes(`/${name}`) ? "secret" : kindOf(property);
    const [usual, example] = [property.default, property.examples?.[0]].map((value) =>
      value === undefined ? undefined : shown(value),
    );
    return {
      ...{ name, kind, usual, example, label: property.title ?? name, description: property.description ?? "" },
      isRequired: required.includes(name),
      choices: kind === "boolean" ? ["true", "false"] : (property.enum ?? []).map(String),
    };
  });
  const rank = ({ kind, isRequired }: Setting) => (kind === "secret" ? 2 : isRequired ? 0 : 1);
  return settings.sort((one, other) => rank(one) - rank(other));
}

function kindOf({ type, enum: words, items, maxLength = 0 }: Property): Setting["kind"] {
  if (words?.every((word) => typeof word === "string")) return "choice";
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean") return "boolean";
  if (type === "string") return maxLength > LINE ? "long" : "text";
  return type === "array" && items?.type === "string" ? "list" : "json";
}

const shown = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** What a stored configuration looks like in the form. Secrets are never shown. */
export function enteredOf(settings: readonly Setting[], configuration: Readonly<Record<string, unknown>>): Entered {
  const texts = settings.map(({ name, kind }) => {
    const value = kind === "secret" ? undefined : configuration[name];
    if (value === undefined) return [name, ""];
    if (kind === "list" && Array.isArray(value)) return [name, value.join("\n")];
    return [name, kind === "json" ? JSON.stringify(value, null, 2) : shown(value)];
  });
  return Object.fromEntries(texts);
}

/** What a form says: a configuration for the connector to check, and secrets apart. */
export function configuredOf(settings: readonly Setting[], entered: Entered): Configured {
  const configuration: Record<string, unknown> = {};
  const secrets: Record<string, string> = {};
  const unread: string[] = [];
  for (const { name, kind } of settings) {
    const text = entered[name] ?? "";
    if (text.trim() === "") continue;
    if (kind === "secret") secrets[name] = text;
    else if (kind === "json") {
      try {
        configuration[name] = JSON.parse(text);
      } catch {
        unread.push(name);
      }
    } else configuration[name] = heldBy(kind, text);
  }
  return { configuration, secrets, unread };
}

function heldBy(kind: Setting["kind"], text: string): unknown {
  if (kind === "boolean") return text === "true";
  // What is no number stays a text, and the server says what is wrong with it.
  if (kind === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind !== "list") return kind === "long" ? text : text.trim();
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
