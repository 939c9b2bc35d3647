// Reads DER (X.690), as far as time stamps need it.

/** Why bytes are not what they should be. */
export class DerFault extends Error {}

/**
 * @typedef {object} Element
 * @property {number} tag class, form and number in one byte
 * @property {Buffer} value
 * @property {Buffer} bytes with tag and length
 */

export const TAG = /** @type {const} */ ({
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** What is `[0]` in a definition. */
  first: 0xa0,
});

/** All elements that bytes consist of, one after the other. @param {Buffer} bytes @returns {Element[]} */
export function elementsOf(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = /** @type {number} */ (bytes[at]);
    const { length, start } = lengthAt(bytes, at + 1);
    const end = start + length;
    if (end > bytes.length) throw new DerFault("it ends too early");
    found.push({ tag, value: bytes.subarray(start, end), bytes: bytes.subarray(at, end) });
    at = end;
  }
  return found;
}

/** The elements within one of a kind. @param {Element | undefined} element @param {number} tag */
export const within = (element, tag) => elementsOf(contentOf(element, tag));

/** The value of an element of a kind. @param {Element | undefined} element @param {number} tag */
export function contentOf(element, tag) {
  if (element?.tag !== tag) throw new DerFault("a part of it is of another kind");
  return element.value;
}

/** An object identifier in numbers with dots. @param {Element | undefined} element */
export function oidOf(element) {
  const numbers = [0];
  const bytes = contentOf(element, TAG.oid);
  if (((bytes.at(-1) ?? 0x80) & 0x80) !== 0) throw new DerFault("an identifier of it has no end");
  for (const byte of bytes) {
    numbers.push((numbers.pop() ?? 0) * 128 + (byte & 0x7f));
    if (byte < 0x80) numbers.push(0);
  }
  const [first = 0, ...others] = numbers.slice(0, -1);
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...others].join(".");
}

/** A GeneralizedTime of UTC as RFC 3339 with milliseconds. @param {Element | undefined} element */
export function timeOf(element) {
  const [, year, month, day, hour, minute, second, fraction = ""] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d+))?Z$/.exec(contentOf(element, TAG.time).toString("latin1")) ?? [];
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, "0").slice(0, 3)}Z`;
  if (!Number.isFinite(Date.parse(text))) throw new DerFault("its time is none");
  return text;
}

/** @param {Buffer} bytes @param {number} at */
function lengthAt(bytes, at) {
  const first = bytes[at];
  if (first === undefined) throw new DerFault("it ends too early");
  if (first < 0x80) return { length: first, start: at + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 4 || at + 1 + count > bytes.length) throw new DerFault("a length of it is none of DER");
  const length = bytes.readUIntBE(at + 1, count);
  // DER writes each length in one way, so that no other bytes are the same token.
  if (length < 0x80 || (count > 1 && bytes[at + 1] === 0)) throw new DerFault("a length of it is none of DER");
  return { length, start: at + 1 + count };
}
