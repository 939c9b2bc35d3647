import ts from "typescript";

/**
 * A module whose schemas are declared when first used: each constant of it that is a call of `z`, or of a method of such a
 * constant, becomes `z.declared(() => …)`. Each line stays where it was.
 */
export function withLazySchemas(text: string): string {
  if (!/\bz[.]/.test(text)) return text;
  const file = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest);
  const lazy = new Set(["z"]);
  let written = "";
  let at = 0;
  for (const { name, initializer } of constantsOf(file)) {
    if (!isCallOf(initializer, lazy)) continue;
    lazy.add(name);
    written += `${text.slice(at, initializer.getStart(file))}z.declared(() => ${text.slice(initializer.getStart(file), initializer.end)})`;
    at = initializer.end;
  }
  return written + text.slice(at);
}

interface Constant {
  readonly name: string;
  readonly initializer: ts.Expression;
}

function constantsOf(file: ts.SourceFile): Constant[] {
  return file.statements.flatMap((statement) => {
    if (!ts.isVariableStatement(statement) || (statement.declarationList.flags & ts.NodeFlags.Const) === 0) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer ? [{ name: name.text, initializer }] : [],
    );
  });
}

/** Methods of schemas that give no schema. */
const NO_SCHEMAS = /^(?:parse|safeParse|meta$|toJSONSchema|is[A-Z]|registry|prettify|treeify|config)/;

/** Whether it is a chain of calls that begins at one of these names. */
function isCallOf(expression: ts.Expression, names: ReadonlySet<string>): boolean {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
  let from: ts.Expression = expression;
  for (;;) {
    if (ts.isCallExpression(from)) {
      const { expression: called, arguments: given } = from;
      if (!ts.isPropertyAccessExpression(called)) return false;
      if (NO_SCHEMAS.test(called.name.text) && !(called.name.text === "meta" && given.length > 0)) return false;
      from = called.expression;
    } else if (ts.isPropertyAccessExpression(from) && isNamespace(from)) from = from.expression;
    else return ts.isIdentifier(from) && names.has(from.text);
  }
}

/** `z.iso` and its kind hold makers. */
function isNamespace({ expression }: ts.PropertyAccessExpression): boolean {
  return ts.isIdentifier(expression) && expression.text === "z";
}
