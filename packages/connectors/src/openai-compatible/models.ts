import {
  type ConnectionTest,
  type DiscoveredAsset,
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
import type { Endpoint } from "./manifest.js";

/** Seconds of the latest time that a date can hold. */
const LATEST = 8_640_000_000_000;

const Listing = z.looseObject({ data: z.array(z.unknown()) });
const Model = z.object({
  id: Text(200),
  owned_by: Text(200).nullish().catch(null),
  created: z.number().min(0).max(LATEST).nullish().catch(null),
});
type Model = z.output<typeof Model>;

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
  const { models, rejected, end } = await listed(ctx);
  const { items, ...rest } = pageAfter(models, ({ id }) => id, page, end);
  return {
    items: items.map((model) => assetOf(ctx, model)),
    ...rest,
    rejected: page.cursor === undefined ? rejected : [],
  };
}

function assetOf({ config }: Endpoint, { id, owned_by, created }: Model): DiscoveredAsset {
  const provider = config.provider ?? owned_by;
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
  const models = new Map<string, Model>();
  const rejected: RejectedItem[] = [];
  for (const given of data) {
    const { data: model } = Model.safeParse(given);
    if (!model) rejected.push({ reason: "It has no id of 1 to 200 characters." });
    else if (models.has(model.id)) rejected.push({ externalId: model.id, reason: "It is listed twice." });
    else models.set(model.id, model);
  }
  return { models: [...models.values()], rejected, end: listingEnd({ entries: data.length, body, headers }) };
}
