import { createHash } from "node:crypto";
import type { Principal } from "../../../../kernel/config/principal.js";
import { ReeveError } from "../../../../kernel/http/errors.js";
import type { Context } from "../../../../kernel/operation/context.js";
import type { OutsideContext } from "../../../../kernel/operation/outside-context.js";
import { requirePermission } from "../../../../kernel/operation/permission.js";
import { requireCapability } from "../../../../kernel/pipeline/access.js";
import { type NameIdFormat, SamlError } from "../../../../ports/saml.js";
import type { Reader } from "../../../../store/store.js";
import { StoreError } from "../../../../store/store-error.js";
import { platformGates } from "../../../platform/index.js";
import { MAY_USE } from "../../access.js";
import { isAssigned } from "../../assignments/check/assigned.js";
import { samlKeyRing } from "../../keys/ring/ring.js";
import { noteUsage } from "../../saml-apps/health/usage.js";
import { engineOf, refusing, samlInvalid } from "../../saml-apps/register/engine.js";
import { type SamlApp, samlApps } from "../../saml-apps/schema.js";
import { type SamlSession, samlSessions } from "../../sessions/schema.js";
import { recordingReplays } from "../receive/refusals.js";
import { samlUsedMessages } from "../schema.js";
import { issuerOf } from "./issuer.js";
import { attributesFor, formatFor, nameFor, subjectOf } from "./subject.js";
import { requireUsable } from "./usable.js";

const MINUTE = 60_000;
/** Longer than twice what a message is accepted for. */
const USED_FOR = 15 * MINUTE;

/** A request of an application that a sign-on answers. */
export interface AnsweredRequest {
  readonly id: string;
  readonly acsUrl: string | null;
  readonly relayState: string | null;
  readonly nameIdFormat: NameIdFormat | null;
}

/** What is sent to the application. */
export interface SignedOn {
  readonly acsUrl: string;
  readonly samlResponse: string;
  readonly relayState: string | null;
  readonly sessionIndex: string;
}

/**
 * Signs a principal on to an application: checks, signs, and stores the session with its event. The checks are made
 * again in the transaction, so that what was taken away in the meantime counts. `claim` uses up what asked for it.
 */
export async function signOn(
  ctx: OutsideContext,
  principal: Principal,
  app: SamlApp,
  {
    request,
    relayState,
    claim,
  }: {
    readonly request: AnsweredRequest | null;
    readonly relayState: string | null;
    readonly claim?: (inner: Context) => Promise<void>;
  },
): Promise<SignedOn> {
  const { tenantId } = principal;
  const engine = engineOf(ctx.env);
  const bound = ctx.on(tenantId, principal);
  const tenant = await ctx.env.use(platformGates).tenant(tenantId);
  if (tenant) requireCapability(tenant, MAY_USE.capability);
  requirePermission(ctx.env, principal, MAY_USE.permission);
  requireActive(app);
  const acsUrl = request?.acsUrl ?? (app.acsUrls[0] as string);
  if (!app.acsUrls.includes(acsUrl)) throw samlInvalid(new SamlError("recipient_mismatch"));
  const subject = await subjectOf(bound, principal);
  const nameIdFormat = formatFor(app, request?.nameIdFormat ?? null);
  const nameId = nameFor(bound, app, subject, nameIdFormat);
  const { signer } = await ctx.env.use(samlKeyRing).of(tenantId);
  const now = ctx.request.nowMs;
  const sessionId = ctx.newId("sams");
  const sessionIndex = `_${sessionId}`;
  const sessionEndsAt = now + app.sessionMinutes * MINUTE;
  const samlResponse = await refusing(
    engine.writeResponse({
      issuer: issuerOf(ctx.env, tenantId),
      signer,
      signed: app.signedResponse ? "response" : "assertion",
      encryptFor: app.encrypted ? (app.encryptionCertificate?.certificate ?? null) : null,
      entityId: app.entityId,
      acsUrl,
      inResponseTo: request?.id ?? null,
      nameId,
      nameIdFormat,
      attributes: attributesFor(app, subject),
      sessionIndex,
      now,
      // Where only the host knows when somebody signed in there, the time of the answer is all that is known.
      authenticatedAt: Math.min(principal.authenticatedAt ?? now, now),
      authenticatedBy: principal.authenticatedBy ?? "unspecified",
      sessionEndsAt,
      ids: { response: `_${ctx.newId("samr")}`, assertion: `_${ctx.newId("samr")}` },
    }),
  );
  const store = async (inner: Context) => {
    const current = await inner.getOrThrow(samlApps, app.id);
    requireActive(current);
    if (!(await isAssigned(inner.db, app.id, principal)))
      throw new ReeveError("permission_denied", "The application is not assigned to you.");
    const { hostRoles } = await subjectOf(inner, principal);
    await requireUsable(inner, principal);
    await claim?.(inner);
    if (request) await useMessage(inner, app.entityId, request.id);
    await inner.insert(samlSessions, {
      id: sessionId,
      appId: app.id,
      userId: principal.userId,
      kind: principal.kind === "client" ? "client" : "user",
      hostRoles: [...hostRoles],
      nameId,
      nameIdFormat,
      sessionIndex,
      signIn: signInOf(principal),
      endsAt: new Date(sessionEndsAt).toISOString(),
      state: "live",
      endedAt: null,
      endReason: null,
      logoutId: null,
      confirmed: false,
      channel: "none",
      endpoint: null,
      tellAt: null,
      attempts: 0,
      failure: null,
    });
    await noteUsage(inner, app.id);
    await inner.emit({
      type: "saml.signed_on",
      subject: { id: app.id, type: "saml_app", path: `${samlApps.resource?.path}/${app.id}` },
      related: [app.id, principal.userId],
      data: {
        entity: { type: "saml_app", id: app.id, name: app.name },
        userId: principal.userId,
        sessionId,
        startedBy: request ? "application" : "person",
      },
    });
  };
  await recordingReplays(ctx, tenantId, app, () => ctx.write(store, principal));
  return { acsUrl, samlResponse, relayState, sessionIndex };
}

/** The token of the cookie by which a person came. One that was given to an API is not for a browser to end. */
function signInOf({ byCookie, tokenId, tokenExpiresAt }: Principal): SamlSession["signIn"] {
  if (!byCookie || tokenId === undefined || tokenExpiresAt === undefined) return null;
  return { tokenId, expiresAt: tokenExpiresAt };
}

function requireActive({ status }: Pick<SamlApp, "status">): void {
  if (status !== "active")
    throw new ReeveError("permission_denied", `The application is ${status === "draft" ? "not set up yet" : status}.`);
}

const usedId = (entityId: string, messageId: string) =>
  createHash("sha256").update(`${entityId}\n${messageId}`).digest("hex");

/** Whether a message was used before. */
export async function isUsed(reader: Pick<Reader, "get">, entityId: string, messageId: string): Promise<boolean> {
  return (await reader.get(samlUsedMessages, usedId(entityId, messageId))) !== undefined;
}

/** Uses up a message, within the transaction. 400 `saml_invalid` when it was used before. */
export async function useMessage(ctx: Context, entityId: string, messageId: string): Promise<void> {
  const id = usedId(entityId, messageId);
  const expiresAt = new Date(ctx.request.nowMs + USED_FOR).toISOString();
  const replayed = () => samlInvalid(new SamlError("replayed"));
  if (await ctx.db.get(samlUsedMessages, id)) throw replayed();
  try {
    await ctx.insert(samlUsedMessages, { id, expiresAt });
  } catch (error) {
    throw StoreError.is(error) && error.code === "duplicate" ? replayed() : error;
  }
}
