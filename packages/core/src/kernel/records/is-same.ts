/** Whether two JSON values say the same. The order of keys does not count, and a key without a value is none. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) return isSameList(one, other);
  return (
    Object.keys(one).every((key) => isSame(ownOf(one, key), ownOf(other, key))) &&
    Object.keys(other).every((key) => Object.hasOwn(one, key) || ownOf(other, key) === undefined)
  );
}

/** What an object inherits, as under `__proto__`, is none of its values. */
function ownOf(of: object, key: string): unknown {
  return Object.hasOwn(of, key) ? (of as Readonly<Record<string, unknown>>)[key] : undefined;
}

function isSameList(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  return one.every((value, at) => isSame(value, other[at]));
}
