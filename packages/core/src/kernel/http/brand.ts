/** The brand of a class, the same in every copy of this package: `instanceof` knows the classes of one copy only. */
export const brandOf = (name: string): symbol => Symbol.for(`@reeve/core/${name}`);

/** Brands the instances of a class, by its prototype, so that instances cost nothing more. */
export function brand(type: abstract new (...parts: never[]) => object, mark: symbol): void {
  Object.defineProperty(type.prototype, mark, { value: true });
}

/** Whether a value is of a class with this brand, whichever copy made it. */
export function isBranded(value: unknown, mark: symbol): boolean {
  return typeof value === "object" && value !== null && mark in value;
}
