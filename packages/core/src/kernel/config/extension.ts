import { defineService, type Provided, provided, type Service } from "./environment.js";

/** A point where one resource collects parts from others without importing them. */
export type ExtensionPoint<T> = Service<readonly T[]>;

/** One part, listed by the area that contributes it. */
export interface Extension {
  readonly point: ExtensionPoint<unknown>;
  readonly part: unknown;
}

/** Declares an extension point. */
export function defineExtensionPoint<T>(name: string): ExtensionPoint<T> {
  return defineService<readonly T[]>(name, () => []);
}

/** Contributes a part to an extension point. */
export function extend<T, P extends T = T>(point: ExtensionPoint<T>, part: P): Extension & { readonly part: P } {
  return Object.freeze({ point: point as ExtensionPoint<unknown>, part });
}

/** The parts that all areas contribute to one extension point. */
export function partsOf<T>(all: readonly Extension[], point: ExtensionPoint<T>): readonly T[] {
  return all.filter((one) => one.point === point).map(({ part }) => part as T);
}

/** The parts of all areas, for the environment of a control plane. */
export function composeExtensions(all: readonly Extension[]): Provided[] {
  const points = [...new Set(all.map(({ point }) => point))];
  return points.map((point) => provided(point, partsOf(all, point)));
}
