import { systemPrincipal } from "#kernel/config/principal.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import {
  SamlError,
  type SamlLogoutRequest,
  type SamlLogoutResponse,
  type SamlMessage,
  type SamlOutgoing,
} from "#ports/saml.js";
import { engineOf, refusing } from "../engine/use-engine.js";
import { samlKeyRing } from "../keys/key-ring.js";
import { issuerOf } from "../saml-apps/assertion/issuer.js";
import { type SamlApp, samlApps } from "../saml-apps/schema.js";
import { openSessions } from "../sessions/queries.js";
import { type SamlSession, samlSessions } from "../sessions/schema.js";
import { isUsed, useMessage } from "../sign-on/issue-sign-on.js";
import { type FromApp, receiveFromApp } from "../sign-on/receive/message.js";
import { refused } from "../sign-on/receive/refusals.js";
import { type Ending, liveSessions, prepareEndings, storeEndings } from "./end-logout.js";

/** A verified message of a logout, with what follows from it. */
export interface PreparedLogout {
  readonly app: SamlApp;
  readonly messageId: string;
  /** The sessions that a request names. */
  readonly own: readonly SamlSession[];
  /** The sessions of the same people elsewhere, whose applications are told now. */
  readonly others: readonly Ending[];
  /** What the application that asked is answered; absent when the message is an answer itself. */
  readonly answer?: SamlOutgoing;
  /** The session whose end an answer confirms. */
  readonly confirmed?: SamlSession;
}

/** Reads a message of a logout. 400 `saml_invalid` where it names no session of its application. */
export async function prepareLogout(ctx: ReadContext, tenantId: string, message: SamlMessage): Promise<PreparedLogout> {
  const received = await receiveFromApp(ctx, tenantId, message, {
    endpoint: "sloUrl",
    read: (engine, expected) => engine.readLogout(message, expected),
  });
  const { app } = received;
  if (await isUsed(ctx.env.store.forTenant(tenantId), app.entityId, received.message.id))
    return refused(ctx, tenantId, app, new SamlError("replayed"));
  return received.message.kind === "LogoutRequest"
    ? requested(ctx, received as FromApp<SamlLogoutRequest>)
    : confirmed(ctx, received as FromApp<SamlLogoutResponse>);
}

async function requested(ctx: ReadContext, received: FromApp<SamlLogoutRequest>): Promise<PreparedLogout> {
  const { tenantId, app, message } = received;
  const own = await namedSessions(ctx, received);
  const reader = ctx.on(tenantId, systemPrincipal(tenantId));
  const people = [...new Set(own.map(({ userId }) => userId))];
  const all = (await Promise.all(people.map((userId) => liveSessions(reader, userId)))).flat();
  const elsewhere = all.filter(({ id }) => !own.some((mine) => mine.id === id));
  const others = await prepareEndings(ctx, { tenantId }, elsewhere);
  return { app, messageId: message.id, own, others, answer: await answerFor(ctx, received, others) };
}

async function answerFor(
  ctx: ReadContext,
  { tenantId, app, message }: FromApp<SamlLogoutRequest>,
  others: readonly Ending[],
): Promise<SamlOutgoing> {
  const destination = app.sloResponseUrl ?? app.sloUrl;
  if (destination === null)
    return refused(ctx, tenantId, app, new SamlError("recipient_mismatch", "The application takes no logout."));
  const { signer } = await ctx.env.use(samlKeyRing).of(tenantId);
  const draft = {
    issuer: issuerOf(ctx.env, tenantId),
    signer,
    id: `_${ctx.newId("samr")}`,
    now: ctx.request.nowMs,
    destination,
    binding: app.sloBinding,
    relayState: message.relayState,
  };
  const isPartial = others.some(({ url }) => url === null);
  const status = isPartial ? "PartialLogout" : "Success";
  return refusing(engineOf(ctx.env).writeLogoutResponse(draft, { inResponseTo: message.id, status }));
}

/** The sessions that a request names: of its own application, with its name, and with an index where it gives one. */
async function namedSessions(
  ctx: ReadContext,
  { tenantId, app, message }: FromApp<SamlLogoutRequest>,
): Promise<readonly SamlSession[]> {
  const where = { appId: app.id, nameId: message.nameId };
  const { sessionIndexes } = message;
  const own = (await openSessions(ctx.env.store.forTenant(tenantId), where)).filter(
    ({ sessionIndex }) => sessionIndexes.length === 0 || sessionIndexes.includes(sessionIndex),
  );
  if (own.length > 0) return own;
  return refused(ctx, tenantId, app, new SamlError("session_unknown"));
}

async function confirmed(
  ctx: ReadContext,
  { tenantId, app, message }: FromApp<SamlLogoutResponse>,
): Promise<PreparedLogout> {
  const where = { logoutId: message.inResponseTo };
  const { rows } = await ctx.env.store.forTenant(tenantId).find(samlSessions, { where, size: 1 });
  const session = rows[0]?.value;
  if (session?.appId !== app.id) return refused(ctx, tenantId, app, new SamlError("session_unknown"));
  if (!message.success) return refused(ctx, tenantId, app, new SamlError("status_failed"));
  return { app, messageId: message.id, own: [], others: [], confirmed: session };
}

/** Stores what follows from a message, within the transaction. */
export async function storeLogout(ctx: Context, prepared: PreparedLogout): Promise<void> {
  const { app, messageId, own, others, confirmed: session } = prepared;
  await useMessage(ctx, app.entityId, messageId);
  if (session) {
    const row = await ctx.db.get(samlSessions, session.id);
    if (row) await ctx.update(samlSessions, row.value, { confirmed: true, notifyAt: null });
    return;
  }
  const people = [...new Set(own.map(({ userId }) => userId))];
  await ctx.emit({
    type: "saml.logout.requested",
    subject: { id: app.id, type: "saml_app", path: `${samlApps.resource?.path}/${app.id}` },
    related: [app.id, ...people],
    data: {
      entity: { type: "saml_app", id: app.id, name: app.name },
      by: "application",
      sessions: own.length + others.length,
    },
  });
  const mine = own.map((one) => ({ session: one, app, logoutId: null, url: null }));
  await storeEndings(ctx, mine, "logged_out_by_application");
  await storeEndings(ctx, others, "logged_out");
}
