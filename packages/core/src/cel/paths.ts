import type { ASTNode } from "@marcbachmann/cel-js";
import type { Field, ObjectType, ValueType, Vocabulary } from "../ports/expressions.js";
import { COMPREHENSIONS } from "./functions.js";

/** The path behind each variable of the enclosing comprehensions; `undefined` when it is not a field. */
export type Scope = ReadonlyMap<string, string | undefined>;

/** Visits every node with its scope, outermost first. `depth` counts enclosing comprehensions. */
export function visit(
  node: ASTNode,
  enter: (node: ASTNode, scope: Scope, depth: number) => void,
  scope: Scope = new Map(),
  depth = 0,
): void {
  enter(node, scope, depth);
  const comprehension = comprehensionOf(node);
  if (!comprehension) {
    for (const child of childrenOf(node)) visit(child, enter, scope, depth);
    return;
  }
  const { receiver, variable, bodies } = comprehension;
  visit(receiver, enter, scope, depth);
  const list = pathOf(receiver, scope);
  const inner = new Map(scope).set(variable, list === undefined ? undefined : `${list}[]`);
  for (const body of bodies) visit(body, enter, inner, depth + 1);
}

/** The parts of a comprehension such as `list.all(x, condition)`; `undefined` for other nodes. */
export function comprehensionOf(node: ASTNode) {
  if (node.op !== "rcall") return undefined;
  const [name, receiver, [variable, ...bodies]] = node.args;
  if (!COMPREHENSIONS.has(name) || variable?.op !== "id") return undefined;
  return { name, receiver, variable: variable.args, bodies };
}

/** The direct children of a node. */
export function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "value":
    case "id":
      return [];
    case ".":
    case ".?":
      return [node.args[0]];
    case "call":
      return node.args[1];
    case "rcall":
      return [node.args[1], ...node.args[2]];
    case "list":
      return node.args;
    case "map":
      return node.args.flat();
    case "!_":
    case "-_":
      return [node.args];
    default:
      return node.args;
  }
}

/** The path of a field, such as `spec.tools[].name`; `undefined` for anything else. Any index reads as `[]`. */
export function pathOf(node: ASTNode, scope: Scope): string | undefined {
  if (node.op === "id") return scope.has(node.args) ? scope.get(node.args) : node.args;
  if (node.op === ".") {
    const holder = pathOf(node.args[0], scope);
    return holder === undefined ? undefined : `${holder}.${node.args[1]}`;
  }
  if (node.op !== "[]") return undefined;
  const [holder, key] = node.args;
  const path = pathOf(holder, scope);
  if (path === undefined) return undefined;
  return key.op === "value" && typeof key.args === "string" ? `${path}.${key.args}` : `${path}[]`;
}

/** The declaration of a path; `undefined` for entries of a map and for undeclared paths. */
export function fieldAt(vocabulary: Vocabulary, path: string): Field | undefined {
  const [name = "", ...steps] = path.split(".");
  let field = Object.hasOwn(vocabulary, bare(name)) ? itemOf(vocabulary[bare(name)], name) : undefined;
  for (const step of steps) {
    const fields = objectOf(field?.type)?.fields;
    field = fields && Object.hasOwn(fields, bare(step)) ? itemOf(fields[bare(step)], step) : undefined;
  }
  return field;
}

const bare = (step: string) => step.replaceAll("[]", "");

/** The declaration of a list's items: that of the list, with the type of an item. */
function itemOf(field: Field | undefined, step: string): Field | undefined {
  if (!step.endsWith("[]") || field === undefined) return field;
  const { type } = field;
  if (typeof type !== "object" || !("list" in type)) return undefined;
  return { ...field, type: type.list === "string" ? "string" : { object: type.list } };
}

/** The object type of a value that is one. */
export function objectOf(type: ValueType | undefined): ObjectType | undefined {
  return typeof type === "object" && "object" in type ? type.object : undefined;
}
