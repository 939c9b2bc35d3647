import type { Access, Truth } from "./target.js";

export type { Truth };

/** Tells one access from another. */
export function accessKey({ resource, profileExternalId, principal }: Access): string {
  return JSON.stringify([resource.type, resource.externalId, profileExternalId, principal.type, principal.externalId]);
}

/** What is there, in an order of its own, to be compared. */
export function comparable({ assets = [], resources = {}, access = [] }: Truth) {
  return {
    assets: [...assets].sort(),
    resources: Object.fromEntries(Object.entries(resources).map(([type, ids]) => [type, [...ids].sort()])),
    access: access.map(accessKey).sort(),
  };
}

/** What is there once `added` is there too and `removed` is not. */
export function changed(truth: Truth, { added = [], removed = [] }: Change): Truth {
  const gone = new Set(removed.map(accessKey));
  const kept = (truth.access ?? []).filter((access) => !gone.has(accessKey(access)));
  const there = new Set(kept.map(accessKey));
  return { ...truth, access: [...kept, ...added.filter((access) => !there.has(accessKey(access)))] };
}

interface Change {
  readonly added?: readonly Access[];
  readonly removed?: readonly Access[];
}

export const has = ({ access = [] }: Truth, wanted: Access): boolean =>
  access.some((one) => accessKey(one) === accessKey(wanted));
