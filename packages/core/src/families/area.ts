import type { Environment } from "../kernel/config/environment.js";
import { type Extension, extend } from "../kernel/config/extension.js";
import type { Area } from "../kernel/operation/area.js";
import { fourEyesPlaces } from "../kernel/operation/four-eyes.js";
import { type Aged, dropAged, dueByAge } from "../kernel/operation/retention.js";
import { declaredEvents, type OwnEvents } from "./events.js";
import type { Resource, TimedWork } from "./resource.js";
import { declaredPermissions } from "./roles.js";

/** An area as its `area.ts` declares it: its resources, and what concerns several of them. */
export interface AreaSpec<Resources extends readonly Resource[]> extends TimedWork {
  readonly name: string;
  /** In the order of the reference, in which their timed work runs too. */
  readonly resources: Resources;
  /** Every type of event that its handlers emit themselves, and when. */
  readonly events?: OwnEvents;
  readonly extends?: readonly Extension[];
}

/** The operations of some resources or areas as one tuple, so that each keeps its type. */
export type OperationsOf<All extends readonly { readonly operations?: readonly unknown[] }[]> = All extends readonly [
  { readonly operations?: infer Own extends readonly unknown[] },
  ...infer Rest extends readonly { readonly operations?: readonly unknown[] }[],
]
  ? readonly [...Own, ...OperationsOf<Rest>]
  : readonly [];

const contributionsOf = (resource: Resource): readonly Extension[] => [
  ...(resource.permissions ? [extend(declaredPermissions, resource.permissions)] : []),
  ...(resource.fourEyes ?? []).map((place) => extend(fourEyesPlaces, place)),
  ...(resource.extends ?? []),
];

const dropping =
  // biome-ignore lint/suspicious/noExplicitAny: records of different collections stand in one list
  (aged: Aged<any>) => (env: Environment, tenantId: string) => dropAged(env, tenantId, aged);

/** Runs the same timed work of several resources, one after another, and adds up how much each stored. */
function inTurn<Args extends readonly unknown[]>(
  works: readonly (((...args: Args) => Promise<number>) | undefined)[],
): ((...args: Args) => Promise<number>) | undefined {
  const all = works.filter((work) => work !== undefined);
  if (all.length <= 1) return all[0];
  return async (...args) => {
    let stored = 0;
    for (const work of all) stored += await work(...args);
    return stored;
  };
}

/** Declares an area, a folder under families/, by its resources. */
export function defineArea<const Resources extends readonly Resource[]>(
  spec: AreaSpec<Resources>,
): Omit<Area, "operations"> & { readonly operations: OperationsOf<Resources> } {
  const { resources } = spec;
  const timed: readonly TimedWork[] = [...resources, spec];
  return Object.freeze({
    name: spec.name,
    collections: resources.flatMap((resource) => resource.collections ?? []),
    machines: resources.flatMap((resource) => resource.machines ?? []),
    operations: resources.flatMap((resource) => resource.operations ?? []) as unknown as OperationsOf<Resources>,
    follows: resources.flatMap((resource) => resource.follows ?? []),
    extends: [
      ...(spec.events ? [extend(declaredEvents, spec.events)] : []),
      ...resources.flatMap(contributionsOf),
      ...(spec.extends ?? []),
    ],
    dues: timed.flatMap(({ dues = [], aged = [] }) => [
      ...dues,
      ...aged.map(({ kind, collection, by, where }) => dueByAge(kind, collection, by, where)),
    ]),
    flush: inTurn(timed.map((one) => one.flush)),
    tick: inTurn(timed.flatMap(({ tick, aged = [] }) => [tick, ...aged.map(dropping)])),
    restored: inTurn(timed.map((one) => one.restored)),
  });
}
