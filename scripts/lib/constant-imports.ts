import ts from "typescript";

const IMPORTED = /^import \{([^}]*)\} from "((?:\.\/|node:)[^"]+)";$/gm;
const EXPORTED = /^export \{([^}]*)\};$/gm;

/**
 * Writes what a bundled ES module imports by name from its neighbours and from Node as constants, and what it exports as
 * one object. Each use of an import would otherwise run two getters. Throws if an export gets another value later, which
 * constants would miss.
 */
export function withConstants(text: string): string {
  const exported = [...text.matchAll(EXPORTED)].flatMap(([, list = ""]) => pairsOf(list));
  const changed = assignedIn(text);
  const late = exported.filter(([name]) => changed.has(name)).map(([name]) => name);
  if (late.length > 0) throw new Error(`exported, and assigned after its declaration: ${late.join(", ")}`);
  return text
    .replaceAll(IMPORTED, (_, list: string, from: string) => {
      return `const {${pairsOf(list).map(([name, local]) => `${name}: ${local}`)}} = require("${from}");`;
    })
    .replaceAll(EXPORTED, (_, list: string) => {
      return `module.exports = {${pairsOf(list).map(([local, name]) => `${name}: ${local}`)}};`;
    });
}

/** `a, b as c` as pairs: the name before `as` and the one after it. */
function pairsOf(list: string): [string, string][] {
  const names = list.split(",").map((each) => each.trim());
  return names
    .filter((each) => each !== "")
    .map((each) => each.split(" as ") as [string, string?])
    .map(([name, as]) => [name, as ?? name]);
}

/** The names that are assigned anywhere, of whatever scope. */
function assignedIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) addNames(node.left, names);
    if ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && isStep(node.operator))
      addNames(node.operand, names);
    if ((ts.isForOfStatement(node) || ts.isForInStatement(node)) && !ts.isVariableDeclarationList(node.initializer))
      addNames(node.initializer, names);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("module.js", text, ts.ScriptTarget.Latest));
  return names;
}

const isAssignment = (kind: ts.SyntaxKind) =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

const isStep = (kind: ts.SyntaxKind) => kind === ts.SyntaxKind.PlusPlusToken || kind === ts.SyntaxKind.MinusMinusToken;

/** The variables of a target, also of one that takes an object or an array apart. */
function addNames(target: ts.Node, names: Set<string>): void {
  if (ts.isIdentifier(target)) names.add(target.text);
  if (ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target)) return;
  ts.forEachChild(target, (child) => addNames(child, names));
}
