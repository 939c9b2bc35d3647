import ts from "typescript";

/** A module in two: what it is when loaded, and functions of it that are loaded when first called. */
export interface LateParts {
  /** The functions that may be apart, and the declarations of schemas, as `declare$<constant>`. */
  readonly names: readonly string[];
  /** The module without these functions, which it imports from where `from` says. */
  main(late: ReadonlySet<string>, from: (name: string) => string): string;
  /** These functions as a module, which imports what they use from `main`. Each notes its own name and those that it reads by `noting`. */
  late(late: ReadonlySet<string>, main: string, noting?: (name: string) => string): string;
}

/** A part of the text that may be apart. */
interface Part {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The part as a function. */
  readonly text: string;
  /** Where its statements begin in this text. */
  readonly body: number;
  /** What stands in its place; nothing for a function that others import. */
  readonly instead: string;
  /** Names of the module that it uses. */
  readonly uses: ReadonlySet<string>;
  /** Those of them that it does not only call, so that they have to be there when it runs. */
  readonly reads: ReadonlySet<string>;
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
    late(late, main, noting = () => "") {
      const notes = ({ name, reads }: Part) =>
        [name, ...[...reads].filter((one) => late.has(one))].map(noting).join("");
      const noted = (part: Part) => part.text.slice(0, part.body) + notes(part) + part.text.slice(part.body);
      const kept = [
        ...chosen(late).map((part) => ({ ...part, text: noted(part) })),
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
  if (ts.isFunctionDeclaration(statement) && statement.name && statement.body) {
    const start = statement.getStart();
    const body = statement.body.getStart() - start + 1;
    const common = { start, end: statement.end, text: statement.getText(), ...namesIn(statement, own) };
    return [{ ...common, name: statement.name.text, body, instead: "" }];
  }
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap((declaration) => {
    const declared = declaredBy(declaration.initializer);
    if (declared === undefined || !ts.isIdentifier(declaration.name)) return [];
    const name = `declare$${declaration.name.text}`;
    const head = `function ${name}() {`;
    const text = `${head} return (${declared.getText()}); }`;
    const common = { start: declared.getStart(), end: declared.end, ...namesIn(declared, own) };
    return [{ ...common, name, text, body: head.length, instead: `${name}()` }];
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
      for (const each of boundBy(name)) (isConstant ? own : changing).add(each);
  }
  return { own: new Set([...own, ...changing]), changing };
}

function boundBy(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : boundBy(element.name)));
}

/** Which of these names a part has. A local one that is called the same is taken for it, at the cost of an import. */
function namesIn(part: ts.Node, own: ReadonlySet<string>): Pick<Part, "uses" | "reads"> {
  const [uses, reads] = [new Set<string>(), new Set<string>()];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && own.has(node.text)) {
      uses.add(node.text);
      if (!(ts.isCallExpression(node.parent) && node.parent.expression === node)) reads.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(part);
  return { uses, reads };
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
