import {
  type ConnectionTest,
  type DiscoveredAsset,
  type LeftOutPart,
  type ListingEnd,
  listingEnd,
  type Page,
  type PageRequest,
  type RejectedItem,
} from "@reeve/core/connectors";
import { z } from "zod";
import { canonicalUrl, Text, targetAt } from "../fields.js";
import { bearer, bodyOf, callApi } from "../json-api.js";
import { pageAfter } from "../page-after.js";
import type { Parts } from "../parts.js";
import { type Members, sift } from "../sift.js";
import type { Endpoint } from "./manifest.js";

/** Seconds of the latest time that a date can hold. */
const LATEST = 8_640_000_000_000;

const Listing = z.looseObject({ data: z.array(z.unknown()) });

interface Model {
  readonly id: string;
  readonly ownedBy?: string | undefined;
  /** Seconds since 1970. */
  readonly created?: number | undefined;
}

/** A time that nobody knows is written as 0, and an owner as an empty text. */
function readModel(id: string, { owned_by: owner, created }: Members, parts: Parts): Model {
  return {
    id,
    ownedBy: owner === "" ? undefined : parts.read(owner, "owned_by", Text(200)),
    created: parts.read(created, "created", z.number().min(0).max(LATEST)),
  };
}

/** Whether the endpoint lists models, and how many. */
export async function testEndpoint(ctx: Endpoint): Promise<ConnectionTest> {
  const { models, rejected } = await listed(ctx);
  const found = models.length > 0;
  return {
    checks: [
      {
        id: "models",
        category: "capability",
        capability: "discover",
        status: found && rejected.length === 0 ? "pass" : "warn",
        message: `The endpoint lists ${models.length} models${rejected.length === 0 ? "" : `, and ${rejected.length} that cannot be used`}.`,
      },
    ],
    target: targetAt(ctx.config.baseUrl),
  };
}

/** The models by id, so that a page begins behind the last model of the one before. */
export async function discoverModels(ctx: Endpoint, page: PageRequest): Promise<Page<DiscoveredAsset>> {
  const { models, rejected, warnings, end } = await listed(ctx);
  const { items, ...rest } = pageAfter(models, ({ id }) => id, page, end);
  return {
    items: items.map((model) => assetOf(ctx, model)),
    ...rest,
    ...(page.cursor === undefined ? { rejected, warnings } : {}),
  };
}

function assetOf({ config }: Endpoint, { id, ownedBy, created }: Model): DiscoveredAsset {
  const provider = config.provider ?? ownedBy;
  return {
    externalId: id,
    assetType: "model",
    name: id,
    ...(created ? { metadata: { createdAt: new Date(created * 1_000).toISOString() } } : {}),
    ...(provider ? { provider } : {}),
    record: { modelId: id },
    found: [{ location: `${canonicalUrl(config.baseUrl)}/models` }],
  };
}

/** The models of an endpoint. */
interface Models {
  readonly models: readonly Model[];
  readonly rejected: readonly RejectedItem[];
  readonly warnings: readonly LeftOutPart[];
  readonly end: ListingEnd;
}

async function listed(ctx: Endpoint): Promise<Models> {
  const apiKey = await ctx.secret("apiKey");
  const api = { baseUrl: ctx.config.baseUrl, headers: bearer(apiKey) };
  const what = "Listing the models";
  const response = await callApi(ctx, api, { what, path: ["models"] });
  const { headers } = response;
  const body = await bodyOf(response, what, Listing);
  const { data } = body;
  const { items: models, ...odd } = sift(data, readModel, { longest: 200 });
  const before = odd.rejected.length > 0 ? "rejected" : null;
  return { models, ...odd, end: listingEnd({ entries: data.length, body, headers, before }) };
}
