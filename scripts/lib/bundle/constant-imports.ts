import ts from "typescript";

/** What the text that is written needs of CommonJS. */
const OF_COMMONJS = new Set(["exports", "module", "require"]);

/** A module of a bundle, whose imports of neighbours are constants. */
export interface Converted {
  readonly text: string;
  /** The neighbours that it imports, as in `./chunk.js`. */
  readonly neighbours: readonly string[];
}

/**
 * Writes what a bundled ES module imports from its neighbours as constants, and what it exports as one object. Each use
 * of an import would otherwise run two getters. Throws for what constants would miss or the text could not say. Neighbours that
 * are no constants stay imports.
 */
export function withConstants(text: string, isConstant: (neighbour: string) => boolean = () => true): Converted {
  return withOneExport(withImportedExports(text), isConstant);
}

/** Whatever a module exports of others, imported under a name of its own and exported with the rest. */
function withImportedExports(text: string): string {
  const file = ts.createSourceFile("module.js", text, ts.ScriptTarget.Latest);
  const exported: string[] = [];
  let converted = "";
  let at = 0;
  for (const statement of file.statements) {
    if (!ts.isExportDeclaration(statement)) continue;
    const { exportClause, moduleSpecifier } = statement;
    if (!exportClause || !ts.isNamedExports(exportClause)) throw new Error("exports of another module");
    const names = exportClause.elements.map(({ name, propertyName = name }) => [propertyName.text, name.text] as const);
    const own = (name: string) => (moduleSpecifier ? `exported$${name}` : name);
    exported.push(...names.map(([name, as]) => `${own(name)} as ${as}`));
    converted += text.slice(at, statement.getStart(file));
    if (moduleSpecifier)
      converted += `import {${names.map(([name]) => `${name} as ${own(name)}`)}} from ${moduleSpecifier.getText(file)};`;
    at = statement.end;
  }
  return `${converted}${text.slice(at)}\nexport {${exported}};`;
}

function withOneExport(text: string, isConstant: (neighbour: string) => boolean): Converted {
  const file = ts.createSourceFile("module.js", text, ts.ScriptTarget.Latest);
  const neighbours: string[] = [];
  let converted = "";
  let at = 0;
  for (const statement of file.statements) {
    const start = statement.getStart(file);
    const own = namesOf(statement).find((name) => OF_COMMONJS.has(name));
    if (own !== undefined) throw new Error(`a variable of the module is called ${own}`);
    const isLate = ts.isImportDeclaration(statement) && !isConstant(from(statement));
    if (isLate) continue;
    if (ts.isImportDeclaration(statement) && from(statement).startsWith("./")) neighbours.push(from(statement));
    const written = writtenAnew(statement);
    if (written === undefined) continue;
    converted += text.slice(at, start) + written;
    at = statement.end;
  }
  refuseLate(file);
  return { text: converted + text.slice(at), neighbours };
}

/** Throws when modules import each other, because constants of one would be read before the other has any. */
export function refuseCircles(imports: ReadonlyMap<string, readonly string[]>): void {
  const left = new Map(imports);
  for (;;) {
    const free = [...left].filter(([, names]) => names.every((name) => !left.has(name)));
    if (free.length === 0) break;
    for (const [name] of free) left.delete(name);
  }
  if (left.size > 0) throw new Error(`modules that import each other: ${[...left.keys()].join(", ")}`);
}

const from = ({ moduleSpecifier }: ts.ImportDeclaration) => (moduleSpecifier as ts.StringLiteral).text;

/** The text in place of a statement; `undefined` where it stays. */
function writtenAnew(statement: ts.Statement): string | undefined {
  if (ts.isExportAssignment(statement)) throw new Error("a default export");
  if (ts.isExportDeclaration(statement)) {
    const { exportClause, moduleSpecifier } = statement;
    if (moduleSpecifier || !exportClause || !ts.isNamedExports(exportClause))
      throw new Error("exports of another module");
    const pairs = exportClause.elements.map(({ name, propertyName = name }) => `${name.text}: ${propertyName.text}`);
    return `module.exports = {${pairs}};`;
  }
  if (!ts.isImportDeclaration(statement) || !from(statement).startsWith("./")) return undefined;
  const { importClause } = statement;
  if (!importClause) return undefined;
  const { name: whole, namedBindings } = importClause;
  if (whole || !namedBindings || !ts.isNamedImports(namedBindings)) throw new Error("a neighbour imported as a whole");
  const pairs = namedBindings.elements.map(({ name, propertyName = name }) => `${propertyName.text}: ${name.text}`);
  return `const {${pairs}} = require("${from(statement)}");`;
}

/** The names that a statement declares in the module. */
function namesOf(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return [statement.name?.text ?? ""];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? name.text : []));
}

/** The names that a statement declares for good, whatever inner scopes assign under the same name. */
function lastingNames(statement: ts.Statement): string[] {
  const isVariable = ts.isVariableStatement(statement) && !(statement.declarationList.flags & ts.NodeFlags.Const);
  return isVariable ? [] : namesOf(statement);
}

/** Throws if an export gets another value later. */
function refuseLate(file: ts.SourceFile): void {
  const clauses = file.statements.flatMap((each) => (ts.isExportDeclaration(each) && each.exportClause) || []);
  const exported = clauses.flatMap((clause) => (ts.isNamedExports(clause) ? [...clause.elements] : []));
  const changed = assignedIn(file);
  for (const name of file.statements.flatMap(lastingNames)) changed.delete(name);
  const late = exported.map(({ name, propertyName = name }) => propertyName.text).filter((name) => changed.has(name));
  if (late.length > 0) throw new Error(`exported, and assigned after its declaration: ${late.join(", ")}`);
}

/** The names that are assigned anywhere, of whatever scope. */
function assignedIn(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) addNames(node.left, names);
    if ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && isStep(node.operator))
      addNames(node.operand, names);
    if ((ts.isForOfStatement(node) || ts.isForInStatement(node)) && !ts.isVariableDeclarationList(node.initializer))
      addNames(node.initializer, names);
    ts.forEachChild(node, visit);
  };
  visit(file);
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
