import { type CheckResult, type ConnectionTest, ConnectorError } from "@reeve/core/connectors";
import { z } from "zod";
import type { FilterOptions } from "../asked-attributes.js";
import { targetAt } from "../fields.js";
import { type JsonApi, readApi } from "../json-api.js";
import { requireShownFilter } from "./groups.js";
import { readPart } from "./listing.js";
import type { Provider } from "./manifest.js";
import { apiOf } from "./provider.js";

const ProviderConfig = z.object({ patch: z.object({ supported: z.boolean() }).nullish() });

/** Whether groups and users can be read, and groups be changed. */
export async function testProvider(ctx: Provider, options: FilterOptions = {}): Promise<ConnectionTest> {
  const api = await apiOf(ctx);
  const checks = [await groupsCheck(ctx, api), ...(await patchChecks(ctx, api)), await usersCheck(ctx, api, options)];
  return { checks, target: targetAt(ctx.config.baseUrl) };
}

async function groupsCheck(ctx: Provider, api: JsonApi): Promise<CheckResult> {
  const { total } = await readPart(ctx, api, { path: "Groups", query: { attributes: "id" }, start: 1, count: 1 });
  return {
    id: "groups",
    category: "capability",
    capability: "observe",
    status: total > 0 ? "pass" : "warn",
    message: `The provider has ${total} groups.`,
  };
}

/** What the provider says of itself. Some say nothing, which a write will tell. */
async function patchChecks(ctx: Provider, api: JsonApi): Promise<readonly CheckResult[]> {
  const supported = await readApi(
    ctx,
    api,
    { what: "Reading the provider's configuration", path: ["ServiceProviderConfig"] },
    ProviderConfig,
  ).then(
    ({ patch }) => patch?.supported,
    (error) => {
      if (ConnectorError.is(error) && SILENT.has(error.errorClass)) return undefined;
      throw error;
    },
  );
  const said = { true: "supports", false: "does not support", undefined: "does not say whether it supports" } as const;
  return (["grant", "revoke"] as const).map((capability) => ({
    id: `patch_${capability}`,
    category: "capability",
    capability,
    status: supported === undefined ? "warn" : supported ? "pass" : "fail",
    message: `The provider ${said[`${supported}`]} PATCH, which changes single members.`,
  }));
}

const SILENT: ReadonlySet<string> = new Set(["not_found", "permission", "invalid", "unsupported"]);

async function usersCheck(ctx: Provider, api: JsonApi, options: FilterOptions): Promise<CheckResult> {
  const { identityFilter: filter } = ctx.config;
  const check = { id: "identities", category: "capability", capability: "discover" } as const;
  if (filter === undefined)
    return { ...check, status: "skip", message: "Nothing is discovered without `identityFilter`." };
  requireShownFilter(filter, options);
  const query = { attributes: "id", filter };
  const { total } = await readPart(ctx, api, { path: "Users", query, start: 1, count: 1 });
  return { ...check, status: total > 0 ? "pass" : "warn", message: `The filter finds ${total} users.` };
}
