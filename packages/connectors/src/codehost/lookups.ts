import { ConnectorError, type ExternalRef, type Principal } from "@reeve/core/connectors";
import { z } from "zod";
import type { Api } from "./api.js";
import { Account, Repository, Team } from "./shapes.js";

/** Runs a request, and gives `undefined` where what it asks for is not there. */
export async function orMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (ConnectorError.is(error) && error.errorClass === "not_found") return undefined;
    throw error;
  }
}

/** A number that a code host gave out. Names are refused, since somebody else can take the name of what was renamed. */
export function numberOf(externalId: string, what: string): number {
  if (/^[1-9]\d{0,14}$/.test(externalId)) return Number(externalId);
  throw new ConnectorError("invalid", `The id of ${what} is its number at the code host, and not its name.`, {
    code: "id",
  });
}

/** A repository by its number, whatever it is called now. */
export function repositoryOf(api: Api, externalId: string): Promise<Repository> {
  return api.read("GET /repositories/{id}", { id: numberOf(externalId, "a repository") }, Repository);
}

/** A user by its number, whatever it is called now. Rejects with `not_found` and the code `principal_missing`. */
export async function userOf(api: Api, { type, externalId }: Principal): Promise<Account> {
  if (type !== "user" && type !== "service_account")
    throw new ConnectorError("unsupported", "Access is granted to users only.", { code: "principal" });
  const id = numberOf(externalId, "a user");
  const account = await orMissing(api.read("GET /user/{account_id}", { account_id: id }, Account));
  if (account) return account;
  // Older servers only list: this is the first account with this number or a higher one.
  const [next] = await api.read("GET /users", { since: id - 1, per_page: 1 }, z.array(Account));
  if (next?.id === id) return next;
  throw new ConnectorError("not_found", "There is no such user at the code host.", { code: "principal_missing" });
}

/** Where a team is: its organisation and its short name, which both may change. */
export interface TeamPlace {
  readonly team: Team;
  readonly org: string;
  readonly team_slug: string;
}

export async function teamOf(api: Api, { externalId }: ExternalRef): Promise<TeamPlace> {
  const team = await api.read("GET /teams/{team_id}", { team_id: numberOf(externalId, "a team") }, Team);
  return { team, org: organisationOf(team), team_slug: team.slug };
}

/** Answers about a team name its organisation in the address of its page only. */
function organisationOf({ html_url }: Team): string {
  const [, org] = /\/orgs\/([^/?#]+)\/teams\//.exec(html_url) ?? [];
  if (org) return decodeURIComponent(org);
  throw new ConnectorError("invalid", "The code host does not say to which organisation a team belongs.", {
    code: "shape",
  });
}

/** Owner and name for the addresses of requests. */
export const placeOf = ({ owner, name }: Repository) => ({ owner: owner.login, repo: name });
