import ts from "typescript";

/** An old term of the glossary, as the words of an identifier. */
export type OldTerm = readonly string[];

/** The old terms in the table "Terms that changed" of the glossary. Commas part forms of a term, brackets say what it meant. */
export function oldTermsIn(glossary: string): OldTerm[] {
  const [, table = ""] = glossary.split("\n## Terms that changed\n");
  const rows = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, old = ""]) => old.replace(/\(.*?\)/g, "").trim());
  const terms = rows.filter((old) => old !== "Old" && !/^-+$/.test(old));
  if (terms.length === 0) throw new Error("the glossary has no table of terms that changed");
  return [...new Set(terms.flatMap((old) => old.split(/, */)))].map((form) => form.toLowerCase().split(/[ -]/));
}

/** Identifiers of a source, each once, that hold an old term or its plural as whole words. */
export function oldIdentifiersIn(text: string, terms: readonly OldTerm[]): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && holdsTerm(node.text, terms)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest));
  return [...found];
}

/** Whether a name, of a file too, holds one of these terms as whole words. */
export function holdsTerm(name: string, terms: readonly OldTerm[]): boolean {
  const words = wordsOf(name);
  return terms.some((term) =>
    words.some((_, at) => term.every((word, next) => isWord(words[at + next], word, next === term.length - 1))),
  );
}

const isWord = (found: string | undefined, word: string, isLast: boolean) =>
  found === word || (isLast && found === `${word}s`);

const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
