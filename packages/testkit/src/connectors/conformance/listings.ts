import type { Page, PageRequest } from "@reeve/core/connectors";
import type { ConnectorCalls } from "../calls.js";
import type { Bench } from "./bench.js";
import { accessKey, type Truth } from "./truth.js";

/** A listing of a connector, and what it has to show. */
export interface Listing {
  readonly name: string;
  read(calls: ConnectorCalls, page: PageRequest): Promise<Page<unknown>>;
  /** What tells one item from another. */
  key(item: unknown): string;
  /** Keys of what is there, as the oracle says. `undefined` when it says nothing about them. */
  expected(truth: Truth): readonly string[] | undefined;
  /** Whether the oracle speaks of this item. Of all when absent. */
  counts?(item: unknown): boolean;
}

type Named = { readonly externalId: string };
type Observed = Parameters<typeof accessKey>[0] & { readonly source: string };

const idOf = (item: unknown) => (item as Named).externalId;

/** Every listing that the connector claims. */
export function listingsOf({ connector, target }: Bench): readonly Listing[] {
  const { capabilities, resourceTypes = [] } = connector.manifest;
  const types = resourceTypes.map(({ type }) => type);
  const all: Readonly<Record<string, () => readonly Listing[]>> = {
    discover: () => [
      {
        name: "discoverAssets",
        read: (calls, page) => calls.discoverAssets(page),
        key: idOf,
        expected: ({ assets }) => assets,
      },
    ],
    resources: () =>
      types.map((type) => ({
        name: `listResources of ${type}`,
        read: (calls, page) => calls.listResources(type, page),
        key: idOf,
        expected: ({ resources }) => resources?.[type],
      })),
    profiles: () =>
      types.map((resourceType) => ({
        name: `listAccessProfiles of ${resourceType}`,
        read: (calls, page) => calls.listAccessProfiles({ resourceType }, page),
        key: (item) => JSON.stringify([(item as { resource?: unknown }).resource ?? null, idOf(item)]),
        expected: () => undefined,
      })),
    observe: () => [
      {
        name: "listGrants",
        read: (calls, page) => calls.listGrants({}, page),
        key: (item) => accessKey(item as Observed),
        counts: (item) => (item as Observed).source === "direct",
        expected: ({ access }) => access?.map(accessKey),
      },
    ],
    usage: () =>
      target.usage
        ? [
            {
              name: "listUsage",
              read: (calls, page) => calls.listUsage(target.usage as NonNullable<typeof target.usage>, page),
              key: (item) => (item as { externalEventId: string }).externalEventId,
              expected: () => undefined,
            },
          ]
        : [],
    credentials: () =>
      target.credentials
        ? [
            {
              name: "listCredentials",
              read: (calls, page) =>
                calls.listCredentials(target.credentials as NonNullable<typeof target.credentials>, page),
              key: idOf,
              expected: ({ credentials }) => credentials,
            },
          ]
        : [],
  };
  return capabilities.flatMap((capability) => all[capability]?.() ?? []);
}
