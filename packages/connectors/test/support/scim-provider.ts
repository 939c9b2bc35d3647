import { createServer } from "node:http";
import express from "express";
import SCIMMY from "scimmy";
import SCIMMYRouters from "scimmy-routers";
import { listen, stop } from "./http-server.js";

interface StoredUser {
  readonly id: string;
  readonly userName: string;
  readonly displayName?: string;
  readonly userType?: string;
}

interface StoredGroup {
  readonly id: string;
  displayName: string;
  members: { readonly value: string; readonly type?: string }[];
}

export interface ScimProvider {
  /** Address of the provider, for the configuration. */
  readonly url: string;
  readonly users: Map<string, StoredUser>;
  readonly groups: Map<string, StoredGroup>;
  /** Bodies of the PATCH requests. */
  readonly patches: unknown[];
  membersOf(groupId: string): readonly string[];
  /** Answers show no members, though changes of them are made. */
  hidesMembers: boolean;
  close(): Promise<void>;
}

export const SCIM_TOKEN = "scim-token-0123456789";

type Records = Pick<ScimProvider, "users" | "groups">;
/** The library keeps one set of handlers in the process; each provider gives them its own records. */
type Kept = { readonly id?: string; readonly filter?: { match<T>(all: T[]): T[] } };

SCIMMY.Resources.declare(SCIMMY.Resources.User).egress((resource, { users }: Records) => found(resource, users));
SCIMMY.Resources.declare(SCIMMY.Resources.Group)
  .egress((resource, { groups }: Records) => found(resource, groups))
  .ingress((resource, data, { groups }: Records) => {
    const group = found(resource, groups) as StoredGroup;
    group.displayName = data.displayName;
    group.members = (data.members ?? []).map(({ value, type }) => ({
      value: String(value),
      ...(type ? { type } : {}),
    }));
    return group;
  });

function found<T>({ id, filter }: Kept, all: Map<string, T>): T | T[] {
  if (id === undefined) return filter ? filter.match([...all.values()]) : [...all.values()];
  const one = all.get(id);
  if (one === undefined) throw new SCIMMY.Types.Error(404, "", `Resource ${id} not found`);
  return one;
}

/** A SCIM provider made of the published library and its routers, with records in memory. */
export async function startScimProvider(users: readonly StoredUser[], groups: readonly StoredGroup[]) {
  const records = {
    users: new Map(users.map((user) => [user.id, user])),
    groups: new Map(groups.map((group) => [group.id, group])),
  };
  const patches: unknown[] = [];
  const shows = { hidesMembers: false };
  const app = express();
  app.use((request, response, next) => {
    if (request.method === "GET" && shows.hidesMembers) hideMembers(response);
    if (request.method === "PATCH") request.once("data", (chunk: Buffer) => patches.push(JSON.parse(String(chunk))));
    next();
  });
  app.use(
    "/scim/v2",
    new SCIMMYRouters({
      type: "bearer",
      context: () => records,
      handler(request) {
        if (request.header("Authorization") !== `Bearer ${SCIM_TOKEN}`) throw new Error("wrong token");
        return "reeve";
      },
    }),
  );
  const server = createServer(app);
  const url = `${await listen(server)}/scim/v2`;
  const membersOf = (id: string) => (records.groups.get(id)?.members ?? []).map(({ value }) => value);
  return Object.assign(shows, {
    url,
    ...records,
    patches,
    membersOf,
    close: () => stop(server),
  }) satisfies ScimProvider;
}

/** Leaves the members out of an answer. */
function hideMembers(response: express.Response): void {
  const send = response.send.bind(response);
  response.send = (body) => {
    const reported = typeof body === "string" ? JSON.parse(body) : body;
    for (const one of [reported, ...(reported?.Resources ?? [])]) if (one?.members) one.members = [];
    return send(typeof body === "string" ? JSON.stringify(reported) : reported);
  };
}
