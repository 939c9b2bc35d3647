const MARKUP: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;",
};
/** What XML has no way to say, and what some parsers take for ends of lines, so that a signature would not hold. */
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|[\u0085\u2028]/gu;

/** Any text as the content of an element or attribute. Characters that XML has not, U+0085 and U+2028 become U+FFFD. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(NO_CHARACTER, "\ufffd")
    .replace(/[&<>"\t\n\r]/g, (character) => MARKUP[character] as string);
}

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** An element. Attributes without a value are left out. `content` is markup already; texts go through `escaped`. */
export function element(name: string, attributes: Attributes, ...content: readonly (string | false | null)[]): string {
  const given = Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
    .join("");
  const inner = content.filter((part) => part).join("");
  return inner === "" ? `<${name}${given}/>` : `<${name}${given}>${inner}</${name}>`;
}

/** A time as SAML writes it: UTC in milliseconds. */
export function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
