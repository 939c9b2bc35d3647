import { z } from "zod";
import type { Operation } from "#reference/index.js";
import { realSchema } from "#schema/lazy-schema.js";

/** A property of a body that holds an id, at any depth. */
export interface IdField {
  readonly path: string;
  /** The name of the innermost property, which tells the kind of id. */
  readonly leaf: string;
  /** The outermost property with this id in place, and only required properties around it. */
  readonly holding: (id: string) => Record<string, unknown>;
}

type Node = Readonly<Record<string, unknown>>;
interface Holder {
  readonly path: string;
  readonly leaf: string;
  readonly value: (id: string) => unknown;
}

/**
 * The properties of an operation's body that hold ids, by name. The schema of the response is included, because a
 * generic body does not name its fields.
 */
export function idFieldsOf({ body, success }: Operation): IdField[] {
  const found = new Map<string, IdField>();
  for (const schema of [body, success.schema]) {
    if (!schema) continue;
    const root = z.toJSONSchema(realSchema(schema) as z.ZodType, { io: "input", unrepresentable: "any" }) as Node;
    for (const [name, node] of propertiesOf(root, root)) {
      if (name === "id") continue;
      for (const { path, leaf, value } of holders(node, name, root)) {
        found.set(path, { path, leaf, holding: (id) => ({ [name]: value(id) }) });
      }
    }
  }
  return [...found.values()];
}

function holders(given: Node, name: string, root: Node): Holder[] {
  const node = resolved(given, root);
  const choices = choicesOf(node);
  if (choices.length > 0) return choices.flatMap((choice) => holders(choice, name, root));
  if (node.type === "string") {
    return /(?:^i|I)ds?$/.test(name) && !node.enum ? [{ path: name, leaf: name, value: (id) => id }] : [];
  }
  if (node.type === "array") {
    return holders(node.items as Node, name, root).map(({ path, leaf, value }) => ({
      path: `${path}[]`,
      leaf,
      value: (id) => [value(id)],
    }));
  }
  return propertiesOf(node, root).flatMap(([property, inner]) =>
    holders(inner, property, root).map(({ path, leaf, value }) => ({
      path: `${name}.${path}`,
      leaf,
      value: (id) => ({ ...requiredOf(node, root), [property]: value(id) }),
    })),
  );
}

function propertiesOf(given: Node, root: Node): [string, Node][] {
  const node = resolved(given, root);
  const own = Object.entries((node.properties ?? {}) as Record<string, Node>);
  return [...own, ...choicesOf(node).flatMap((choice) => propertiesOf(choice, root))];
}

function requiredOf(node: Node, root: Node): Record<string, unknown> {
  const properties = (node.properties ?? {}) as Record<string, Node>;
  const names = (node.required ?? []) as string[];
  return Object.fromEntries(names.map((name) => [name, least(properties[name] as Node, root)]));
}

/** The smallest value that satisfies a schema. */
function least(given: Node, root: Node): unknown {
  const node = resolved(given, root);
  const [choice] = choicesOf(node);
  if (choice) return least(choice, root);
  if ("const" in node) return node.const;
  if (Array.isArray(node.enum)) return node.enum[0];
  if (node.format === "date-time") return "2026-01-05T09:00:00.000Z";
  if (node.format === "uri") return "https://example.test/";
  if (node.type === "string") return "x";
  if (node.type === "number" || node.type === "integer") return node.minimum ?? 0;
  if (node.type === "boolean") return false;
  if (node.type === "array") return [];
  return node.type === "object" ? requiredOf(node, root) : null;
}

const choicesOf = (node: Node) => [node.anyOf, node.oneOf, node.allOf].flatMap((list) => (list ?? []) as Node[]);

function resolved(node: Node, root: Node): Node {
  if (typeof node.$ref !== "string") return node;
  if (node.$ref === "#") return {};
  return (root.$defs as Record<string, Node>)[node.$ref.replace("#/$defs/", "")] ?? {};
}
