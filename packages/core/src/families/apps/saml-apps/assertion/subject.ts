import { identities } from "#families/estate/index.js";
import { isStillSignedIn, isUsable, machineClients, roles as roleBook, users } from "#families/identity/index.js";
import type { Principal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { NameIdFormat, SamlAttribute } from "#ports/saml.js";
import { SamlError } from "#ports/saml.js";
import { samlInvalid } from "../../engine/use-engine.js";
import type { MappedAttribute } from "../fields.js";
import type { SamlApp } from "../schema.js";

/** Who signs on, with what applications may be told. */
export interface SignOnSubject {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly kind: Principal["kind"];
  readonly tenantId: string;
}

/** A subject as it signs on. */
export interface PresentSubject extends SignOnSubject {
  /** Who signs on with what is left to them: what a record here has lost since the request began is gone. */
  readonly principal: Principal;
  /** Those of the roles that the host tells and no record here has. */
  readonly hostRoles: readonly string[];
}

/**
 * The person or AI identity behind a principal, as they are now. 401 when it may not act any more, has signed out, or has
 * got another password since.
 */
export async function subjectOf(ctx: ReadContext, principal: Principal): Promise<PresentSubject> {
  if (!(await isStillSignedIn(ctx, principal))) throw new ReeveError("invalid_token");
  return principal.kind === "client" ? identityOf(ctx, principal) : personOf(ctx, principal);
}

async function identityOf(ctx: ReadContext, principal: Principal): Promise<PresentSubject> {
  const { kind, tenantId, userId } = principal;
  const [identity] = await ctx.db.getMany(identities, [userId]);
  const [client] = await ctx.db.getMany(machineClients, [userId]);
  if (!identity || !client || !isUsable(client.value, ctx.now)) throw new ReeveError("invalid_token");
  const left = withPermissions(principal, new Set(client.value.scopes));
  const shared = { id: userId, kind, tenantId, principal: left };
  return { ...shared, username: userId, name: identity.value.name, roles: [], hostRoles: [] };
}

async function personOf(ctx: ReadContext, principal: Principal): Promise<PresentSubject> {
  const { kind, tenantId, userId, username, roles, rolesFromHost = false } = principal;
  const shared = { id: userId, kind, tenantId };
  const [user] = await ctx.db.getMany(users, [userId]);
  if (!user) {
    // Somebody whom only the host knows has no record here.
    if (!rolesFromHost) throw new ReeveError("invalid_token");
    return { ...shared, principal, username, name: username, roles, hostRoles: roles };
  }
  if (user.value.status !== "active") throw new ReeveError("invalid_token");
  const { username: known, name, roles: recorded } = user.value;
  const hostRoles = roles.filter((role) => !recorded.includes(role));
  if (rolesFromHost) return { ...shared, principal, username: known, name, roles, hostRoles };
  const kept = roles.filter((role) => recorded.includes(role));
  const held = ctx.env.use(roleBook).permissionsOf(recorded);
  const left = withPermissions({ ...principal, roles: kept }, held);
  return { ...shared, principal: left, username: known, name, roles: kept, hostRoles: [] };
}

/** A principal with only those of its permissions that are among these. */
function withPermissions(principal: Principal, held: ReadonlySet<string>): Principal {
  return { ...principal, permissions: new Set([...principal.permissions].filter((one) => held.has(one))) };
}

/** The attributes that an application is told of a subject. Those without a value are left out. */
export function attributesFor(
  { attributeMapping }: Pick<SamlApp, "attributeMapping">,
  subject: SignOnSubject,
): SamlAttribute[] {
  return attributeMapping
    .map(({ name, friendlyName, nameFormat, ...mapped }) => ({
      name,
      friendlyName,
      nameFormat,
      // An empty value says nothing, and some service providers refuse the whole assertion for it.
      values: valuesOf(mapped, subject).filter((text) => text !== ""),
    }))
    .filter(({ values }) => values.length > 0);
}

function valuesOf(
  { source, value = "" }: Pick<MappedAttribute, "source" | "value">,
  subject: SignOnSubject,
): readonly string[] {
  if (source === "value") return [value];
  const found = subject[source];
  return typeof found === "string" ? [found] : found;
}

type NameKinds = Pick<SamlApp, "nameIdFormat" | "nameIdFormats">;

/** Whether an application gets the kind of name that it asks for: one of its own, or one that tells no more. */
export function givesName({ nameIdFormat, nameIdFormats }: NameKinds, wanted: NameIdFormat | null): boolean {
  if (wanted === null || wanted === nameIdFormat || nameIdFormats.includes(wanted)) return true;
  return wanted === "transient" || wanted === "persistent";
}

/** The kind of name that an application gets. */
export function formatFor(app: NameKinds, wanted: NameIdFormat | null): NameIdFormat {
  if (givesName(app, wanted)) return wanted ?? app.nameIdFormat;
  throw samlInvalid(new SamlError("name_id_unsupported"));
}

/** The name of a subject at an application. */
export function nameFor(
  ctx: ReadContext,
  app: Pick<SamlApp, "id" | "nameIdSource" | "nameIdFormat">,
  subject: SignOnSubject,
  format: NameIdFormat,
): string {
  const pairwise = () => ctx.env.secretBox.fingerprint(`${app.id}\n${subject.id}`, "saml-name");
  if (format === "transient") return ctx.newId("once");
  // A lasting name must not be one that may be given to somebody else later.
  if (format === "persistent" && app.nameIdSource === "username") return pairwise();
  return app.nameIdSource === "pairwise" ? pairwise() : subject[app.nameIdSource];
}
