import type { FieldValue } from "./collection.js";

/** Orders text by code point, as UTF-8 bytes and the SQL stores do; plain `<` would order by UTF-16 unit. */
export function compareText(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Orders two values of one column: `null` after everything, `false` before `true`. */
export function compareValues(a: FieldValue, b: FieldValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return Number(a) - Number(b);
}

/** Surrogates stand for code points above all others, so they rank above the units from U+E000 on. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
