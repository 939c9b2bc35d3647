import {
  type ApplyResult,
  ConnectorError,
  type GrantQuery,
  type GrantSpec,
  type ObservedGrant,
  type Page,
  type PageRequest,
  type Principal,
  type PrincipalLookup,
  type PrincipalQuery,
  type RejectedItem,
  type VerifyResult,
  wholeUnless,
} from "@reeve/core/connectors";
import { z } from "zod";
import { Text } from "../fields.js";
import { lookupOf } from "../lookup.js";
import { pageAfter } from "../page-after.js";
import { sift } from "../sift.js";
import type { Fossil } from "./configuration.js";
import { type Project, projectAt, projectOf } from "./repositories.js";
import { isRole, type Role, roleOf, withRole } from "./roles.js";

const Capabilities = z.string().max(200);
const User = z.object({ name: Text(200), capabilities: Capabilities });
type User = z.output<typeof User>;

/** Users that stand for everybody, and patterns for others. */
const PSEUDO = new Set(["anonymous", "developer", "nobody", "reader"]);

/** What everybody may do without signing in. */
export async function publicRole({ session }: Project): Promise<Role | undefined> {
  return roleOf((await session.call(["user", "get"], { name: "nobody" }, User)).capabilities);
}

/** The users of a repository that are somebody. One whose capabilities cannot be read may have any, so it is rejected. */
async function usersOf({ session }: Project) {
  const given = await session.call(["user", "list"], {}, z.array(z.unknown()));
  const { items, rejected } = sift(
    given,
    (name, { capabilities }) => ({ name, capabilities: Capabilities.safeParse(capabilities).data }),
    { idMember: "name", longest: 200 },
  );
  const users = items.filter(({ name }) => !PSEUDO.has(name));
  const unread = users.filter(({ capabilities }) => capabilities === undefined);
  const reason = "Its capabilities cannot be read.";
  return {
    items: users.filter((user): user is User => user.capabilities !== undefined),
    rejected: [...rejected, ...unread.map(({ name }) => ({ externalId: name, reason }))],
  };
}

/** A user of any repository by name, which Fossil never changes. */
export async function findPrincipal(ctx: Fossil, { type, named }: PrincipalQuery): Promise<PrincipalLookup> {
  if (type === "group") return { outcome: "unknown" };
  const projects = await Promise.all(ctx.config.repositories.map((repository) => projectAt(ctx, repository)));
  const read = await Promise.all(projects.map(usersOf));
  const users = read.flatMap(({ items }) => items.map(({ name }) => name));
  // Whoever is named may be one that cannot be read.
  if (!users.includes(named) && read.some(({ rejected }) => rejected.length > 0)) return { outcome: "unknown" };
  const principals = [...new Set(users)].map((name): Principal => ({ type, externalId: name, displayName: name }));
  return lookupOf(
    principals.filter(({ externalId }) => externalId === named),
    async () => principals,
  );
}

export async function listGrants(
  ctx: Fossil,
  { resource, principals }: GrantQuery,
  page: PageRequest,
): Promise<Page<ObservedGrant>> {
  const [grants, rejected] = [[] as ObservedGrant[], [] as RejectedItem[]];
  const names = principals && new Set(principals.map(({ externalId }) => externalId));
  const projects = resource
    ? [await projectOf(ctx, resource.externalId)]
    : await Promise.all(ctx.config.repositories.map((repository) => projectAt(ctx, repository)));
  for (const project of projects) {
    const users = await usersOf(project);
    rejected.push(...users.rejected);
    for (const user of users.items) if (names?.has(user.name) ?? true) grants.push(...grantsOf(project, user));
  }
  const keyOf = ({ resource: { externalId }, principal }: ObservedGrant) => `${externalId}:${principal.externalId}`;
  const listed = pageAfter(grants, keyOf, page, wholeUnless(rejected.length > 0 ? "rejected" : null));
  return { ...listed, ...(page.cursor === undefined ? { rejected } : {}) };
}

function grantsOf({ code }: Project, { name, capabilities }: User): readonly ObservedGrant[] {
  const role = roleOf(capabilities);
  if (!role) return [];
  return [
    {
      resource: { type: "repository", externalId: code },
      profileExternalId: role,
      principal: { type: "user", externalId: name, displayName: name },
      permissions: [...capabilities].sort(),
      source: "direct",
    },
  ];
}

/** A grant with what it is about. Rejects with `not_found` where the repository or the user is not there. */
async function subjectOf(ctx: Fossil, { resource, principal, profileExternalId: role }: GrantSpec) {
  if (!isRole(role)) throw new ConnectorError("invalid", "There is no such role.", { code: "profile" });
  if (
    resource.type !== "repository" ||
    PSEUDO.has(principal.externalId) ||
    !/^(user|service_account)$/.test(principal.type)
  )
    throw new ConnectorError("unsupported", "Access is granted to users, and to repositories only.", {
      code: "subject",
    });
  const project = await projectOf(ctx, resource.externalId);
  const user = await project.session.call(["user", "get"], { name: principal.externalId }, User);
  if (user.name !== principal.externalId)
    throw new ConnectorError("not_found", "There is no such user.", { code: "principal_missing" });
  return { project, user, role, current: roleOf(user.capabilities) };
}

async function save({ session }: Project, { name, capabilities }: User, role?: Role): Promise<void> {
  const wanted = withRole(capabilities, role);
  const saved = await session.call(["user", "save"], { name, capabilities: wanted }, User);
  if (roleOf(saved.capabilities) !== role)
    throw new ConnectorError("outcome_unknown", "Fossil has saved other capabilities than it was given.");
}

export async function grant(ctx: Fossil, spec: GrantSpec): Promise<ApplyResult> {
  const { project, user, role, current } = await subjectOf(ctx, spec);
  if (current === role) return { outcome: "already_applied" };
  await save(project, user, role);
  return { outcome: "applied", ...(current === undefined ? {} : { replaced: [current] }) };
}

export async function modify(ctx: Fossil, from: GrantSpec, to: GrantSpec): Promise<ApplyResult> {
  if (from.resource.externalId !== to.resource.externalId || from.principal.externalId !== to.principal.externalId)
    throw new ConnectorError("invalid", "Only the role of a grant is changed.", { code: "subject" });
  const { project, user, role, current } = await subjectOf(ctx, to);
  if (current === role) return { outcome: "already_applied" };
  if (current !== from.profileExternalId)
    throw new ConnectorError("conflict", "The user has another role than is to be changed.", { code: "changed" });
  await save(project, user, role);
  return { outcome: "applied", replaced: [current] };
}

/** Another role than the one that is meant stays. */
export async function revoke(ctx: Fossil, spec: GrantSpec): Promise<ApplyResult> {
  const { project, user, role, current } = await subjectOf(ctx, spec);
  if (current !== role) return { outcome: "already_applied" };
  await save(project, user);
  return { outcome: "applied" };
}

export async function verify(ctx: Fossil, spec: GrantSpec): Promise<VerifyResult> {
  const { project, user, role, current } = await subjectOf(ctx, spec);
  const [observed] = grantsOf(project, user);
  if (!observed) return { presence: "absent", authoritative: true };
  return { presence: current === role ? "present" : "mismatch", observed, authoritative: true };
}
