import ts from "typescript";

/** A module in two: what it is when loaded, and functions of it that are loaded when first called. */
export interface LateParts {
  /** The functions that may be apart, and the declarations of schemas, as `declare$<constant>`. */
  readonly names: readonly string[];
  /** The module without these functions, which it imports from where `from` says. */
  main(late: ReadonlySet<string>, from: (name: string) => string): string;
  /** These functions as a module, which imports what they use from `main`. */
  late(late: ReadonlySet<string>, main: string): string;
}

/** A part of the text that may be apart. */
interface Part {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The part as a function. */
  readonly text: string;
  /** What stands in its place; nothing for a function that others import. */
  readonly instead: string;
  /** Names of the module that it uses. */
  readonly uses: ReadonlySet<string>;
}

/** The name by which a module gives what only its late functions take. */
const given = (name: string) => `late$${name}`;

/**
 * The parts of an ES module without types. Lines stay where they were, so that a source map of the text applies to both.
 * A function that uses a variable which changes stays, because such a variable cannot be given to another module.
 */
export function latePartsOf(code: string): LateParts {
  const file = ts.createSourceFile("module.js", code, ts.ScriptTarget.Latest, true);
  const { own, changing } = bindingsOf(file);
  const parts = file.statements
    .flatMap((statement) => partOf(statement, own))
    .filter(({ uses }) => disjoint(uses, changing));
  const imports = file.statements.filter(ts.isImportDeclaration);
  const chosen = (late: ReadonlySet<string>) => parts.filter(({ name }) => late.has(name));
  return {
    names: parts.map(({ name }) => name),
    main(late, from) {
      const out = chosen(late);
      const taken = out.map(({ name }) => `import {${name}} from ${JSON.stringify(from(name))};`);
      const gives = [...new Set(out.flatMap(({ uses }) => [...uses]))].map(
        (name) => `export {${name} as ${given(name)}};`,
      );
      const cuts = out.map((part) => ({ ...part, text: part.instead }));
      return [replaced(code, cuts), ...taken, ...gives].join("\n");
    },
    late(late, main) {
      const kept = [
        ...chosen(late),
        ...imports.map((one) => ({ start: one.getStart(), end: one.end, text: one.getText() })),
      ];
      const used = new Set(chosen(late).flatMap(({ uses }) => [...uses].filter((name) => !late.has(name))));
      const takes = [...used].map((name) => `${given(name)} as ${name}`);
      const gives = chosen(late).map(({ name }) => name);
      return `${only(code, kept)}\nimport {${takes}} from ${JSON.stringify(main)};\nexport {${gives}};`;
    },
  };
}

function partOf(statement: ts.Statement, own: ReadonlySet<string>): Part[] {
  const span = { start: statement.getStart(), end: statement.end };
  if (ts.isFunctionDeclaration(statement) && statement.name)
    return [
      { ...span, name: statement.name.text, text: statement.getText(), instead: "", uses: usedBy(statement, own) },
    ];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap((declaration) => {
    const body = declaredBy(declaration.initializer);
    if (body === undefined || !ts.isIdentifier(declaration.name)) return [];
    const name = `declare$${declaration.name.text}`;
    const text = `function ${name}() { return (${body.getText()}); }`;
    return [{ start: body.getStart(), end: body.end, name, text, instead: `${name}()`, uses: usedBy(body, own) }];
  });
}

/** What `z.declared(() => …)` evaluates. */
function declaredBy(initializer: ts.Expression | undefined): ts.Expression | undefined {
  if (!initializer || !ts.isCallExpression(initializer) || initializer.expression.getText() !== "z.declared")
    return undefined;
  const [declare] = initializer.arguments;
  return declare && ts.isArrowFunction(declare) && !ts.isBlock(declare.body) ? declare.body : undefined;
}

/** The names of a module but for its imports, and those of them that change. */
function bindingsOf(file: ts.SourceFile): { own: Set<string>; changing: Set<string> } {
  const own = new Set<string>();
  const changing = new Set<string>();
  for (const statement of file.statements) {
    if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name)
      own.add(statement.name.text);
    if (!ts.isVariableStatement(statement)) continue;
    const isConstant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { name } of statement.declarationList.declarations)
      for (const each of namesIn(name)) (isConstant ? own : changing).add(each);
  }
  return { own: new Set([...own, ...changing]), changing };
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)));
}

/** Which of these names a part has. A local one that is called the same is taken for it, at the cost of an import. */
function usedBy(part: ts.Node, own: ReadonlySet<string>): Set<string> {
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && own.has(node.text)) used.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(part);
  return used;
}

function disjoint(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].every((name) => !others.has(name));
}

type Cut = Pick<Part, "start" | "end" | "text">;

const newlines = (text: string) => text.replaceAll(/[^\n]+/g, "");

/** The text with other words in some places, and as many lines. */
function replaced(code: string, cuts: readonly Cut[]): string {
  let written = "";
  let at = 0;
  for (const { start, end, text } of cuts) {
    written += code.slice(at, start) + text + newlines(code.slice(start, end));
    at = end;
  }
  return written + code.slice(at);
}

/** These parts of a text, each on the lines where it was. */
function only(code: string, parts: readonly Cut[]): string {
  let written = "";
  let at = 0;
  for (const { start, end, text } of [...parts].sort((one, other) => one.start - other.start)) {
    written += `${newlines(code.slice(at, start))}${text};`;
    at = end;
  }
  return written;
}
