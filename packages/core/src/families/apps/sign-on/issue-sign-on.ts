import { createHash } from "node:crypto";
import { platformGates } from "#families/platform/index.js";
import type { Principal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { requireCapability } from "#kernel/pipeline/access.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { SamlError } from "#ports/saml.js";
import type { Reader } from "#store/store.js";
import { StoreError } from "#store/store-error.js";
import { closedBecause, MAY_USE } from "../access.js";
import { isAssigned } from "../assignments/check/assigned.js";
import { engineOf, refusing, samlInvalid } from "../engine/use-engine.js";
import { samlKeyRing } from "../keys/key-ring.js";
import { type Asked, type AssertionContent, contentOf, isSame } from "../saml-apps/assertion/content.js";
import { issuerOf } from "../saml-apps/assertion/issuer.js";
import { subjectOf } from "../saml-apps/assertion/subject.js";
import { noteUsage } from "../saml-apps/health-usage.js";
import { type SamlApp, samlApps } from "../saml-apps/schema.js";
import { makeRoom } from "../sessions/end/room.js";
import { requireUsable } from "../sessions/end/usable.js";
import { type SamlSession, samlSessions } from "../sessions/schema.js";
import { recordingRefusals } from "./receive/refusals.js";
import { samlUsedMessages } from "./schema.js";

/**
 * Longer than a message can be answered after it was first used: it is accepted for seven minutes with the differences of
 * clocks, and then waits for ten until somebody has signed in.
 */
const USED_FOR = minutesMs(20);

/** A request of an application that a sign-on answers. */
export interface AnsweredRequest extends Asked {
  readonly id: string;
  readonly relayState: string | null;
}

/** What is sent to the application. */
export interface SignedOn {
  readonly acsUrl: string;
  readonly samlResponse: string;
  readonly relayState: string | null;
  readonly sessionIndex: string;
}

/** What asked for a sign-on. */
interface Asking {
  readonly request: AnsweredRequest | null;
  readonly relayState: string | null;
  /** Uses up what asked for it. */
  readonly claim?: (inner: Context) => Promise<void>;
}

/** How often a response is signed at most, since what it tells may change while it is signed. */
const ATTEMPTS = 3;

/**
 * Signs a principal on to an application: checks, signs, and stores the session with its event. The checks are made
 * again in the transaction, so that what was taken away in the meantime counts. A response that tells what is no longer
 * so is not given out, but signed once more.
 */
export async function signOn(
  ctx: OutsideContext,
  principal: Principal,
  app: SamlApp,
  asking: Asking,
): Promise<SignedOn> {
  engineOf(ctx.env);
  const { tenantId } = principal;
  const tenant = await ctx.env.use(platformGates).tenant(tenantId);
  if (tenant) requireCapability(tenant, MAY_USE.capability);
  const bound = ctx.on(tenantId, principal);
  let current = app;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) current = await bound.getOrThrow(samlApps, app.id);
    const { signed, isStored } = await recordingRefusals(ctx, tenantId, current, async () => {
      const once = await sign(bound, current, principal, asking);
      const store = (inner: Context) => stored(inner, once, principal, asking);
      return { signed: once, isStored: await ctx.write(store, principal) };
    });
    const { content, samlResponse, sessionIndex } = signed;
    if (isStored) return { acsUrl: content.acsUrl, samlResponse, relayState: asking.relayState, sessionIndex };
  }
  throw new ReeveError("permission_denied", "Your data for the application is changing just now. Try again.");
}

/** A signed response with what it says. Nothing is stored yet. */
interface Signed {
  readonly app: SamlApp;
  readonly content: AssertionContent;
  readonly samlResponse: string;
  readonly sessionId: string;
  readonly sessionIndex: string;
  readonly endsAtMs: number;
}

async function sign(ctx: ReadContext, app: SamlApp, principal: Principal, { request }: Asking): Promise<Signed> {
  const { tenantId } = principal;
  const subject = await subjectOf(ctx, principal);
  requirePermission(ctx.env, subject.principal, MAY_USE.permission);
  requireActive(app);
  const content = contentOf(ctx, app, subject, request);
  const { signer } = await ctx.env.use(samlKeyRing).of(tenantId);
  const now = ctx.request.nowMs;
  const sessionId = ctx.newId("sams");
  const sessionIndex = `_${sessionId}`;
  const endsAtMs = now + minutesMs(app.sessionMinutes);
  const samlResponse = await refusing(
    engineOf(ctx.env).writeResponse({
      ...content,
      issuer: issuerOf(ctx.env, tenantId),
      signer,
      inResponseTo: request?.id ?? null,
      sessionIndex,
      now,
      // Where only the host knows when somebody signed in there, the time of the answer is all that is known.
      authenticatedAt: Math.min(principal.authenticatedAt ?? now, now),
      authenticatedBy: principal.authenticatedBy ?? "unspecified",
      sessionEndsAt: endsAtMs,
      ids: { response: `_${ctx.newId("samr")}`, assertion: `_${ctx.newId("samr")}` },
    }),
  );
  return { app, content, samlResponse, sessionId, sessionIndex, endsAtMs };
}

/** Stores a sign-on, within the transaction. `false`, and nothing stored, where the response tells what is no longer so. */
async function stored(
  ctx: Context,
  { app, content, sessionId, sessionIndex, endsAtMs }: Signed,
  principal: Principal,
  { request, claim }: Asking,
): Promise<boolean> {
  const closed = await closedBecause(ctx.db, ctx.request.nowMs);
  if (closed) throw new ReeveError(closed);
  const current = await ctx.getOrThrow(samlApps, app.id);
  requireActive(current);
  const subject = await subjectOf(ctx, principal);
  requirePermission(ctx.env, subject.principal, MAY_USE.permission);
  if (!(await isAssigned(ctx.db, app.id, subject.principal)))
    throw new ReeveError("permission_denied", "The application is not assigned to you.");
  await requireUsable(ctx, principal);
  if (!isSame(contentOf(ctx, current, subject, request), content)) return false;
  await claim?.(ctx);
  if (request) await useMessage(ctx, app.entityId, request.id);
  await makeRoom(ctx, principal.userId, app.id);
  await ctx.insert(samlSessions, {
    id: sessionId,
    appId: app.id,
    userId: principal.userId,
    kind: principal.kind === "client" ? "client" : "user",
    hostRoles: [...subject.hostRoles],
    nameId: content.nameId,
    nameIdFormat: content.nameIdFormat,
    sessionIndex,
    signIn: signInOf(principal),
    endsAt: timestamp(endsAtMs),
    state: "live",
    endedAt: null,
    endReason: null,
    logoutId: null,
    confirmed: false,
    channel: "none",
    endpoint: null,
    notifyAt: null,
    attempts: 0,
    failure: null,
  });
  await noteUsage(ctx, app.id);
  await ctx.emit({
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
  return true;
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
