import { ConnectorError } from "@reeve/core/connectors";
import { z } from "zod";
import { Text, Visible } from "../fields.js";
import { type JsonApi, readApi } from "../json-api.js";
import { type LinkPage, type LinkPosition, readLinkPage } from "../link-page.js";
import { Parts } from "../parts.js";
import { Members } from "../sift.js";
import type { Organisation } from "./manifest.js";

export interface Group {
  readonly id: string;
  /** Who fills it; absent where it cannot be told. */
  readonly type?: string | undefined;
  readonly name: string;
}

export interface User {
  readonly id: string;
  readonly status?: string | undefined;
  readonly login?: string | undefined;
  readonly displayName?: string | undefined;
  readonly userType?: string | undefined;
}

/** The most characters of an id. */
export const LONGEST_ID = { longest: 100 } as const;

export function readGroup(id: string, group: Members, parts: Parts): Group {
  const profile = parts.expect(group.profile, "profile", Members);
  const name = profile && parts.expect(profile.name, "profile.name", Visible(500));
  return { id, type: parts.expect(group.type, "type", Text(100)), name: name ?? id };
}

export function readUser(id: string, user: Members, parts: Parts): User {
  const profile = parts.expect(user.profile, "profile", Members);
  return {
    id,
    status: parts.read(user.status, "status", Text(100)),
    login: profile && parts.expect(profile.login, "profile.login", Visible(200)),
    displayName: parts.read(profile?.displayName, "profile.displayName", Visible(200)),
    userType: parts.read(profile?.userType, "profile.userType", Text(200)),
  };
}

/** The most pages of the groups of one user that are looked through. */
const PAGES = 100;

export async function apiOf({ config: { baseUrl }, secret }: Organisation): Promise<JsonApi> {
  return { baseUrl, headers: { authorization: `SSWS ${await secret("apiToken")}` } };
}

/** A list below `/api/v1`, from its beginning by `first`, or from a position. */
export function listOf(
  ctx: Organisation,
  api: JsonApi,
  path: readonly string[],
  { first = {}, at, limit }: ListPart,
): Promise<LinkPage> {
  const asked = new URLSearchParams({ ...first, limit: String(Math.min(limit, PAGE)) });
  const request = { what: `Listing ${path.at(-1)}`, path: ["api", "v1", ...path] };
  return readLinkPage(ctx, api, request, at ?? { query: asked.toString(), read: 0 }, limit);
}

/** The most items that Okta gives in a page. */
const PAGE = 200;

interface ListPart {
  readonly first?: Readonly<Record<string, string>>;
  readonly at?: LinkPosition | undefined;
  readonly limit: number;
}

/** Rejects with `not_found` when there is no such group. */
export async function groupOf(ctx: Organisation, api: JsonApi, id: string): Promise<Group> {
  const what = "Reading the group";
  const group = await readApi(ctx, api, { what, path: ["api", "v1", "groups", id] }, Members);
  if (group.id === id) return readGroup(id, group, new Parts());
  throw new ConnectorError("invalid", `${what} failed: the target answered with another group.`, { code: "other_id" });
}

/** Whether people and this connector may change the members; applications and Okta fill the other groups. */
export const isChangeable = ({ type }: Pick<Group, "type">): boolean => type === "OKTA_GROUP";

const Id = z.object({ id: Text(100) });

/** What Okta shows of a user in a group. */
export interface Membership {
  readonly present: boolean;
  /** It shows other groups of the user, of which everybody has one. */
  readonly showsOthers: boolean;
}

/** Whether a user is in a group. A user's groups are few, a group's users may be many. */
export async function membershipOf(
  ctx: Organisation,
  api: JsonApi,
  groupId: string,
  userId: string,
): Promise<Membership> {
  let at: LinkPosition | undefined;
  let showsOthers = false;
  for (let page = 0; page < PAGES; page += 1) {
    const { items, next, end } = await listOf(ctx, api, ["users", userId, "groups"], { at, limit: PAGE });
    if (items.some((given) => Id.safeParse(given).data?.id === groupId)) return { present: true, showsOthers };
    showsOthers ||= items.length > 0;
    // Groups that are listed in part do not show that another one is missing.
    if (next === undefined) return { present: false, showsOthers: showsOthers && end.complete };
    at = next;
  }
  throw new ConnectorError("invalid", "The groups of the user do not end.", { code: "too_many" });
}
