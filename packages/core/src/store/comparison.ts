/**
 * How the texts of a field are compared in keys, filters and orders. `canonical`: letters with accents are the same whether
 * they are composed or not (NFC). `caseless`: as in a search, so case and width do not matter either. `exact`: code point by
 * code point, for names that another system gives and compares so.
 */
export type Comparison = "canonical" | "caseless" | "exact";

const FORMS: Readonly<Record<Comparison, (text: string) => string>> = {
  canonical: (text) => text.normalize("NFC"),
  caseless: foldText,
  exact: (text) => text,
};

/** A value of a field in the form in which it is compared. Texts are canonical unless their field says otherwise. */
export function comparable<V>(field: { readonly compare?: Comparison }, value: V): V | string {
  return typeof value === "string" ? FORMS[field.compare ?? "canonical"](value) : value;
}

/**
 * Normalises text for search, equally in every store: NFKC and case-insensitive. Through upper case `ß` becomes `ss`,
 * the two small sigmas become one, and the Turkish dotted capital an `i`.
 */
export function foldText(text: string): string {
  // All of ASCII is its own normal form, so only its case is folded.
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll("i\u0307", "i")
    .normalize("NFKC");
}
