import {
  type Connector,
  ConnectorError,
  defineConnector,
  type GrantQuery,
  type GrantSpec,
  type ObservedGrant,
  type ObservedResource,
} from "#connectors/index.js";
import { homeOf, ownConnector } from "#families/connectors/index.js";
import type { Context } from "#kernel/operation/context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { z } from "#schema/z.js";
import { type SamlApp, samlApps } from "../saml-apps/schema.js";
import { endLostAccess } from "./check/lost-access.js";
import { subjectExists } from "./check/subject.js";
import { type Assignment, samlAssignments } from "./schema.js";

const APPLICATION = "application";
const SIGN_ON = "sign-on";

/**
 * The applications of a tenant as a target of access governance, for the option `connectors`. What is granted there
 * assigns an application to an AI identity or a user; what is revoked takes it away and ends the sessions. Each control
 * plane needs one of its own.
 */
export function signOnConnector(): Connector {
  const connector: Connector = defineConnector({
    manifest: {
      providerKey: "sign-on",
      interfaceVersion: 1,
      version: "1.0.0",
      displayName: "Sign-on",
      category: "identity",
      description: "Applications that AI identities and people of this tenant sign on to by SAML.",
      capabilities: ["test", "resources", "profiles", "observe", "grant", "revoke", "verify"],
      resourceTypes: [
        {
          type: APPLICATION,
          displayName: "Application",
          idStability: "immutable",
          profileSource: "static",
          grantableTo: ["agent", "user"],
        },
      ],
      limitations: ["What is assigned to everyone or to a role is decided there, and not shown here."],
      expiry: "managed",
    },
    configuration: z.object({}),
    async testConnection({ tenantId }) {
      homeOf(connector);
      return { checks: [], target: { id: tenantId, name: "Sign-on" } };
    },
    async listResources({ tenantId }, type, { cursor, limit }) {
      if (type !== APPLICATION) return { items: [], complete: true };
      const range = { size: limit, ...(cursor === undefined ? {} : { after: cursor }) };
      const rows = await homeOf(connector).store.forTenant(tenantId).scan(samlApps, range);
      const items = rows.map(({ value }) => shown(value));
      const last = rows.at(-1)?.id;
      return rows.length < limit || last === undefined
        ? { items, complete: true }
        : { items, nextCursor: last, complete: false };
    },
    async listAccessProfiles(_ctx, { resourceType }) {
      return { items: resourceType === APPLICATION ? [PROFILE] : [], complete: true };
    },
    async listGrants({ tenantId }, query, { cursor, limit }) {
      const range = { size: limit, ...(cursor === undefined ? {} : { after: cursor }) };
      const rows = await homeOf(connector).store.forTenant(tenantId).scan(samlAssignments, range);
      const items = rows.flatMap(({ value }) => observed(value) ?? []).filter((grant) => isAsked(query, grant));
      const last = rows.at(-1)?.id;
      return rows.length < limit || last === undefined
        ? { items, complete: true }
        : { items, nextCursor: last, complete: false };
    },
    grant: ({ tenantId }, spec) =>
      write(connector, tenantId, async (ctx) => {
        const one = assignmentOf(spec);
        if (!(await ctx.db.get(samlApps, one.appId))) throw gone("application");
        if (await held(ctx, one)) return { outcome: "already_applied" };
        if (!(await subjectExists(ctx, one))) throw gone("user or AI identity");
        await ctx.insert(samlAssignments, one as Assignment);
        return { outcome: "applied" };
      }),
    revoke: ({ tenantId }, spec) =>
      write(connector, tenantId, async (ctx) => {
        const one = await held(ctx, assignmentOf(spec));
        if (!one) return { outcome: "already_applied" };
        await ctx.remove(samlAssignments, one);
        await endLostAccess(ctx, one.appId);
        return { outcome: "applied" };
      }),
    async verify({ tenantId }, spec) {
      const db = homeOf(connector).store.forTenant(tenantId);
      return { presence: (await held({ db }, assignmentOf(spec))) ? "present" : "absent", authoritative: true };
    },
  });
  return ownConnector(connector);
}

function write<T>(connector: Connector, tenantId: string, work: (ctx: Context) => Promise<T>): Promise<T> {
  return systemContext(homeOf(connector), tenantId, "access").write(work);
}

const PROFILE = {
  externalId: SIGN_ON,
  resourceType: APPLICATION,
  name: "Sign on",
  description: "Signs on to the application, which may let it do more.",
  permissions: [SIGN_ON],
  privilegeLevel: 1,
  grantableTo: ["agent", "user"],
} as const;

const shown = ({ id, name, entityId, category, status }: SamlApp): ObservedResource => ({
  type: APPLICATION,
  externalId: id,
  name,
  attributes: { entityId, category, status },
});

/** An assignment of one principal, however it was made. `undefined` for one of a role or of everyone. */
function observed({ id, appId, subjectType, subjectId }: Assignment): ObservedGrant | undefined {
  if (subjectId === null || subjectType === "role" || subjectType === "everyone") return undefined;
  return {
    externalGrantId: id,
    resource: { type: APPLICATION, externalId: appId },
    profileExternalId: SIGN_ON,
    principal: { type: subjectType === "user" ? "user" : "agent", externalId: subjectId },
    source: "direct",
  };
}

/** Whether a grant is among those asked for. */
function isAsked({ resource, principals }: GrantQuery, grant: ObservedGrant): boolean {
  const isThere = resource === undefined || resource.externalId === grant.resource.externalId;
  const { type, externalId } = grant.principal;
  return isThere && (principals?.some((one) => one.type === type && one.externalId === externalId) ?? true);
}

type Wanted = Pick<Assignment, "appId" | "subjectType"> & { readonly subjectId: string };

/** The assignment that a grant means. */
function assignmentOf({ resource, profileExternalId, principal }: GrantSpec): Wanted {
  if (resource.type !== APPLICATION || profileExternalId !== SIGN_ON) throw gone("kind of access");
  if (principal.type !== "agent" && principal.type !== "user")
    throw new ConnectorError("invalid", "Only agents and users sign on.");
  const subjectType = principal.type === "user" ? "user" : "ai_identity";
  return { appId: resource.externalId, subjectType, subjectId: principal.externalId };
}

async function held(
  { db }: { readonly db: Pick<Context["db"], "lookup"> },
  { appId, subjectType, subjectId }: Wanted,
): Promise<Assignment | undefined> {
  const key = { appId, subject: `${subjectType}:${subjectId}` };
  return (await db.lookup(samlAssignments, "subject", key))?.value;
}

const gone = (what: string) => new ConnectorError("not_found", `There is no such ${what}.`);
