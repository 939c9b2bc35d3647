/** A fenced code block: its language, the name after it, and its text. */
export interface Snippet {
  readonly language: string;
  readonly name: string | undefined;
  readonly text: string;
}

/** Every fenced code block of a Markdown text, in order. */
export function snippetsOf(markdown: string): Snippet[] {
  const blocks = markdown.matchAll(/^```(\w+)(?: ([\w-]+))?\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, language = "", name, text = ""]) => ({ language, name, text }));
}

/** The one block of that name. */
export function namedSnippet(markdown: string, name: string): string {
  const found = snippetsOf(markdown).filter((snippet) => snippet.name === name);
  if (found.length !== 1) throw new Error(`there are ${found.length} code blocks named "${name}"`);
  return (found[0] as Snippet).text;
}
