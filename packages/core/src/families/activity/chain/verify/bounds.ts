/** Throws `TypeError` for a bound by which a walk over events would end before its first one, such as `NaN`. */
export function requireBounds(bounds: Readonly<Record<string, number | undefined>>): void {
  for (const [name, bound] of Object.entries(bounds)) {
    const isBound =
      bound === undefined || bound === Number.POSITIVE_INFINITY || (Number.isInteger(bound) && bound >= 0);
    if (!isBound) throw new TypeError(`${name} must be a whole number of 0 or more, not ${bound}.`);
  }
}
