import type { FieldValue } from "./collection.js";

/** Compares text by code point, like UTF-8 bytes and the SQL stores. Plain `<` compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Compares two values of one column: `null` last, `false` before `true`. */
export function compareValues(a: FieldValue, b: FieldValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return Number(a) - Number(b);
}

/** Surrogates encode the highest code points, so they rank above units from U+E000 on. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
