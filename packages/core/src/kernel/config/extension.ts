import { defineService, type Provided, provided, type Service } from "./environment.js";

/** A question that one resource asks and others answer, so that it need not import them. */
export type ExtensionPoint<T> = Service<readonly T[]>;

/** One answer, as an area lists it. */
export interface Extension {
  readonly point: ExtensionPoint<unknown>;
  readonly part: unknown;
}

/** Declares such a question. */
export function defineExtensionPoint<T>(name: string): ExtensionPoint<T> {
  return defineService<readonly T[]>(name, () => []);
}

/** Answers the question of another resource. */
export function extend<T, P extends T = T>(point: ExtensionPoint<T>, part: P): Extension & { readonly part: P } {
  return Object.freeze({ point: point as ExtensionPoint<unknown>, part });
}

/** The answers of all areas to one question. */
export function partsOf<T>(all: readonly Extension[], point: ExtensionPoint<T>): readonly T[] {
  return all.filter((one) => one.point === point).map(({ part }) => part as T);
}

/** The answers of all areas, for the environment of a control plane. */
export function composeExtensions(all: readonly Extension[]): Provided[] {
  const points = [...new Set(all.map(({ point }) => point))];
  return points.map((point) => provided(point, partsOf(all, point)));
}
