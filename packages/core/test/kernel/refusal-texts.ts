import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { filesBelow, root } from "../../../../scripts/lib/workspace.mjs";

const source = join(root, "packages/core/src");

/** A text of a refusal, as written in the sources. Placeholders are `…`. */
export interface RefusalText {
  readonly file: string;
  readonly text: string;
}

/** The argument that is the text, by the function that makes or states a refusal. */
const TEXT_OF: Readonly<Record<string, number>> = {
  ReeveError: 1,
  invalidProperty: 1,
  oauthRefusal: 1,
  refine: 1,
  regex: 1,
};
/** Files without these hold no text of a refusal, and are not parsed. */
const MAY_HOLD = /\b(?:ReeveError|invalidProperty|oauthRefusal|refine|regex|message|fault)\b.*["'`]/;

/** The texts of refusals and faults of schemas in the sources of core. */
export function refusalTexts(): RefusalText[] {
  return filesBelow(source, (file: string) => file.endsWith(".ts") && !file.endsWith(".test.ts")).flatMap(textsIn);
}

function textsIn(path: string): RefusalText[] {
  const file = relative(source, path);
  const text = readFileSync(path, "utf8");
  if (!MAY_HOLD.test(text)) return [];
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: RefusalText[] = [];
  const visit = (node: ts.Node): void => {
    for (const each of textsOf(node)) found.push({ file, text: each });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function textsOf(node: ts.Node): string[] {
  if (ts.isPropertyAssignment(node) && ["message", "fault"].includes(node.name.getText()))
    return literalsIn(node.initializer);
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return [];
  const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
  const at = TEXT_OF[callee.getText()];
  const argument = at === undefined ? undefined : node.arguments?.[at];
  return argument ? literalsIn(argument) : [];
}

/** The texts that an expression may have. A name stands for the constants of the file that have it. */
function literalsIn(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [[node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…")];
  if (ts.isConditionalExpression(node)) return [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...literalsIn(node.left), ...literalsIn(node.right)];
  if (ts.isIdentifier(node)) return constantsOf(node);
  return [];
}

function constantsOf(name: ts.Identifier): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isVariableDeclaration(node) &&
      node.name.getText() === name.text &&
      node.initializer &&
      !ts.isIdentifier(node.initializer)
    )
      found.push(...literalsIn(node.initializer));
    ts.forEachChild(node, visit);
  };
  visit(name.getSourceFile());
  return found;
}
