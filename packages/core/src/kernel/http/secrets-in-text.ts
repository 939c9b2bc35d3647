import { isSecretParameter } from "./secret-names.js";

/** Secrets as issuers write them: their prefixes, private keys, signed tokens and bearer credentials. Each is read in one pass. */
const ISSUED = [
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20}|github_pat_\w{20}|glpat-[\w-]{16}|xox[abeprs]-[\w-]{10}|AKIA[0-9A-Z]{16}|ya29\.[\w-])/,
  /(?<![A-Za-z0-9])sk-(?:[a-z]{1,12}\d{0,4}-){0,3}(?=[A-Za-z_]{0,64}\d)\w{16}/,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/,
  /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/,
  /(?<!\w)Bearer {1,4}(?=[^\s\d]{0,64}\d)[\w.~+/=-]{16}/i,
];
/** The most characters of a scheme before, and of an address after, its `://`. */
const SCHEME = 20;
const ADDRESS = 4_000;
/** What ends an address in a text. */
const END = /[\s"'<>`]/;

/** Whether a text holds a secret: one in the form of its issuer, or an address with a password or a parameter that carries one. */
export function holdsSecret(text: string): boolean {
  return ISSUED.some((form) => form.test(text)) || addressesIn(text).some(carriesSecret);
}

/** Whether an address of any scheme has a password, or a parameter in its query or fragment that carries a secret. */
function carriesSecret(address: string): boolean {
  // A host that is a placeholder is no URL, and what stands before it may be a password all the same.
  if (!URL.canParse(address)) return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@:]*:[^/?#@]+@/i.test(address);
  const { password, searchParams, hash } = new URL(address);
  const named = [...searchParams, ...new URLSearchParams(hash.slice(1))];
  return (password !== "" && !isPlaceholder(password)) || named.some(isSecretPair);
}

const isSecretPair = ([name, value]: [string, string]) => isSecretParameter(name) && !isPlaceholder(value);

function addressesIn(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    const scheme = /[a-z][a-z0-9+.-]*$/i.exec(text.slice(Math.max(0, at - SCHEME), at))?.[0];
    const rest = text.slice(at, at + ADDRESS);
    const end = rest.search(END);
    if (scheme) found.push(scheme + (end < 0 ? rest : rest.slice(0, end)));
  }
  return found;
}

/** A text that says where a secret comes from, and is none: `${NAME}`, `{{name}}`, `<name>`, `***`, or nothing. */
export function isPlaceholder(text: string): boolean {
  const value = decoded(text)
    .trim()
    .replace(/^(?:Bearer|Basic|Token) +/i, "");
  return /^(?:|\$\{[\w.:-]{1,100}\}|\$\w{1,100}|\{\{[^{}]{1,100}\}\}|\{\w{1,100}\}|<[^<>]{1,100}>|\*+)$/.test(value);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
