/** Escaped markup. Only `html` creates it. */
export class Markup {
  constructor(readonly text: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export type Part = string | number | null | undefined | false | Markup | readonly Part[];

/** A template tag that escapes every value, except markup. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(
    strings.map((text, index) => `${text}${index < parts.length ? written(parts[index]) : ""}`).join(""),
  );
}

function written(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(written).join("");
  return String(part).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] as string);
}
