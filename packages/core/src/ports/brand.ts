/** The brand of a class, equal in every copy of this package. `instanceof` works within one copy only. */
export const brandOf = (name: string): symbol => Symbol.for(`@reeve/core/${name}`);

/** Brands a class by its prototype, so that instances cost nothing more. */
export function brand(type: abstract new (...parts: never[]) => object, mark: symbol): void {
  Object.defineProperty(type.prototype, mark, { value: true });
}

/** Whether a value has this brand, whichever copy of the package made it. */
export function isBranded(value: unknown, mark: symbol): boolean {
  return typeof value === "object" && value !== null && mark in value;
}
