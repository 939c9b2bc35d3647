import { ConnectorError, type LeftOutPart, type Principal, type RejectedItem } from "@reeve/core/connectors";
import { z } from "zod";
import { Text } from "../fields.js";
import { bearer, callApi, type JsonApi, readApi } from "../json-api.js";
import { Parts } from "../parts.js";
import { Members } from "../sift.js";
import type { Provider } from "./manifest.js";

/** Who is in a group. */
export interface Member {
  readonly value: string;
  readonly type: "user" | "group";
  readonly display?: string;
}

/** The members of a group, as far as they can be read. */
export interface GroupMembers {
  readonly members: readonly Member[];
  /** Members that cannot be read. Whoever is not among `members` may be one of them. */
  readonly rejected: readonly RejectedItem[];
  readonly warnings: readonly LeftOutPart[];
}

const Membership = z.object({ id: Text(500), members: z.unknown().optional() });

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
export async function membersOf(ctx: Provider, api: JsonApi, groupId: string): Promise<GroupMembers> {
  const what = "Reading the group";
  const query = { attributes: "members" };
  const group = await readApi(ctx, api, { what, path: ["Groups", groupId], query }, Membership);
  if (group.id === groupId) return readMembers(groupId, group.members);
  throw new ConnectorError("invalid", `${what} failed: the target answered with another group.`, { code: "other_id" });
}

function readMembers(groupId: string, given: unknown): GroupMembers {
  const reject = (reason: string) => ({ externalId: groupId, reason });
  if (given !== undefined && given !== null && !Array.isArray(given))
    return { members: [], rejected: [reject("Its members are no list.")], warnings: [] };
  const [parts, rejected] = [new Parts(), [] as RejectedItem[]];
  const members = (given ?? []).flatMap((one: unknown, at: number): Member[] => {
    const { value, type, display } = Members.safeParse(one).data ?? {};
    const id = Text(500).safeParse(value).data;
    const kind = z.string().nullish().safeParse(type);
    if (id === undefined) rejected.push(reject("A member has no id that can be kept."));
    else if (!kind.success) rejected.push(reject("A member does not say whether it is a user or a group."));
    if (id === undefined || !kind.success) return [];
    const shown = parts.read(display, `members[${at}].display`, Text(500));
    const isGroup = kind.data?.toLowerCase() === "group";
    return [{ value: id, type: isGroup ? "group" : "user", ...(shown ? { display: shown } : {}) }];
  });
  return { members, rejected, warnings: parts.of(groupId) };
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
