import { type CheckResult, type ConnectionTest, ConnectorError } from "@reeve/core/connectors";
import { z } from "zod";
import type { FilterOptions } from "../asked-attributes.js";
import { canonicalUrl, Text } from "../fields.js";
import { type JsonApi, readApi } from "../json-api.js";
import { requireShownSearch } from "./listing.js";
import type { Organisation } from "./manifest.js";
import { apiOf, listOf } from "./organisation.js";

const Public = z.object({ id: Text(100) });

/** Whether groups and users can be read. */
export async function testOrganisation(ctx: Organisation, options: FilterOptions = {}): Promise<ConnectionTest> {
  const api = await apiOf(ctx);
  return {
    checks: [await groupsCheck(ctx, api), ...CHANGES, await usersCheck(ctx, api, options)],
    target: { id: await organisationId(ctx, api), name: new URL(ctx.config.baseUrl).host },
  };
}

async function groupsCheck(ctx: Organisation, api: JsonApi): Promise<CheckResult> {
  const { items } = await listOf(ctx, api, ["groups"], { limit: 1 });
  const found = items.length > 0;
  return {
    id: "groups",
    category: "capability",
    capability: "observe",
    status: found ? "pass" : "warn",
    message: found ? "The token may read groups." : "The token sees no groups.",
  };
}

const CHANGES = (["grant", "revoke"] as const).map(
  (capability): CheckResult => ({
    id: capability,
    category: "permission",
    capability,
    status: "skip",
    message: "Only a change shows whether the token may change groups.",
  }),
);

async function usersCheck(ctx: Organisation, api: JsonApi, options: FilterOptions): Promise<CheckResult> {
  const { identitySearch: search } = ctx.config;
  const check = { id: "identities", category: "capability", capability: "discover" } as const;
  if (search === undefined)
    return { ...check, status: "skip", message: "Nothing is discovered without `identitySearch`." };
  requireShownSearch(search, options);
  const { items } = await listOf(ctx, api, ["users"], { first: { search }, limit: 1 });
  const found = items.length > 0;
  return { ...check, status: found ? "pass" : "warn", message: `The search finds ${found ? "" : "no "}users.` };
}

/** The organisation's own id, which a change of its address does not change; its address where it has none. */
async function organisationId(ctx: Organisation, { baseUrl }: JsonApi): Promise<string> {
  const request = { what: "Reading the organisation", path: [".well-known", "okta-organization"] };
  try {
    return (await readApi(ctx, { baseUrl, headers: {} }, request, Public)).id;
  } catch (error) {
    if (ConnectorError.is(error) && error.errorClass === "not_found") return canonicalUrl(baseUrl);
    throw error;
  }
}
