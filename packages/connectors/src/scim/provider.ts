import { ConnectorError, type Principal } from "@reeve/core/connectors";
import { z } from "zod";
import { Text } from "../fields.js";
import { bearer, callApi, type JsonApi, readApi } from "../json-api.js";
import type { Provider } from "./manifest.js";

const Member = z.object({ value: Text(500), display: z.string().nullish(), type: z.string().nullish() });
export type Member = z.output<typeof Member>;

export const Group = z.object({
  id: Text(500),
  displayName: Text(500),
  externalId: z.string().nullish(),
});

const Membership = z.object({ id: Text(500), members: z.array(Member).nullish() });

const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** A change of one member. */
type Operation =
  | { readonly op: "add"; readonly path: "members"; readonly value: readonly [{ readonly value: string }] }
  | { readonly op: "remove"; readonly path: `members[value eq ${string}]` };

export async function apiOf({ config: { baseUrl, username }, secret }: Provider): Promise<JsonApi> {
  const token = await secret("token");
  const basic = () => Buffer.from(`${username}:${token}`).toString("base64");
  const headers = username === undefined ? bearer(token) : { authorization: `Basic ${basic()}` };
  return { baseUrl, headers: { ...headers, accept: "application/scim+json, application/json" } };
}

/** The members of a group now. Rejects with `not_found` when there is no such group. */
export async function membersOf(ctx: Provider, api: JsonApi, groupId: string): Promise<readonly Member[]> {
  const what = "Reading the group";
  const query = { attributes: "members" };
  const group = await readApi(ctx, api, { what, path: ["Groups", groupId], query }, Membership);
  if (group.id === groupId) return group.members ?? [];
  throw new ConnectorError("invalid", `${what} failed: the target answered with another group.`, { code: "other_id" });
}

/** Rejects with `not_found` unless the principal exists, so that no access waits for somebody who is yet to come. */
export async function expectPrincipal(ctx: Provider, api: JsonApi, { type, externalId }: Principal): Promise<void> {
  const path = [type === "group" ? "Groups" : "Users", externalId];
  await readApi(ctx, api, { what: "Reading the principal", path, query: { attributes: "id" } }, z.object({}));
}

/** Changes one member and no other. */
export async function patchMember(ctx: Provider, api: JsonApi, groupId: string, operation: Operation): Promise<void> {
  const response = await callApi(
    ctx,
    { ...api, headers: { ...api.headers, "content-type": "application/scim+json" } },
    {
      what: "Changing the group",
      path: ["Groups", groupId],
      method: "PATCH",
      body: { schemas: [PATCH], Operations: [operation] },
    },
  );
  await response.body?.cancel();
}

export const adding = (id: string): Operation => ({ op: "add", path: "members", value: [{ value: id }] });

/**
 * The path selects the one member. Without the filter a provider would remove all of them, so there is no other form
 * for providers that do not understand this one.
 */
export const removing = (id: string): Operation => ({ op: "remove", path: `members[value eq ${JSON.stringify(id)}]` });
