import type { Principal } from "../../../../kernel/config/principal.js";
import type { Context } from "../../../../kernel/operation/context.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import type { SamlOutgoing, SamlSigner } from "../../../../ports/saml.js";
import { samlKeyRing } from "../../keys/ring/ring.js";
import { engineOf } from "../../saml-apps/register/engine.js";
import { type SamlApp, samlApps } from "../../saml-apps/schema.js";
import { issuerOf } from "../../sign-on/issue/issuer.js";
import { type EndReason, endSession } from "../end/end.js";
import { type SamlSession, samlSessions } from "../schema.js";

/** The most sessions that one logout ends. */
const MOST = 50;

/** A session that a logout ends, with the request that tells its application. */
export interface Ending {
  readonly session: SamlSession;
  readonly app: Pick<SamlApp, "id" | "name">;
  readonly logoutId: string | null;
  /** `null` where the application takes no logout. */
  readonly request: SamlOutgoing | null;
}

/** The live sessions of somebody at all applications. */
export async function liveSessions(ctx: ReadContext, userId: string): Promise<readonly SamlSession[]> {
  const { rows } = await ctx.db.find(samlSessions, { where: { userId, state: "live" }, size: MOST });
  return rows.map(({ value }) => value).filter(({ endsAt }) => endsAt > ctx.now);
}

/** Writes the request to each application, before the transaction that ends the sessions. */
export async function prepareEndings(
  ctx: ReadContext,
  { tenantId }: Pick<Principal, "tenantId">,
  sessions: readonly SamlSession[],
): Promise<readonly Ending[]> {
  if (sessions.length === 0) return [];
  const { signer } = await ctx.env.use(samlKeyRing).of(tenantId);
  const apps = await ctx.env.store
    .forTenant(tenantId)
    .getMany(samlApps, [...new Set(sessions.map(({ appId }) => appId))]);
  const byId = new Map(apps.map(({ id, value }) => [id, value]));
  return Promise.all(sessions.map((session) => ending(ctx, tenantId, signer, session, byId.get(session.appId))));
}

async function ending(
  ctx: ReadContext,
  tenantId: string,
  signer: SamlSigner,
  session: SamlSession,
  app: SamlApp | undefined,
): Promise<Ending> {
  if (!app?.sloUrl)
    return { session, app: app ?? { id: session.appId, name: session.appId }, logoutId: null, request: null };
  const logoutId = `_${ctx.newId("samr")}`;
  const draft = {
    issuer: issuerOf(ctx.env, tenantId),
    signer,
    id: logoutId,
    now: ctx.request.nowMs,
    destination: app.sloUrl,
    binding: app.sloBinding,
    relayState: null,
  };
  const { nameId, nameIdFormat, sessionIndex } = session;
  const request = await engineOf(ctx.env).writeLogoutRequest(draft, {
    nameId,
    nameIdFormat,
    entityId: app.entityId,
    sessionIndex,
  });
  return { session, app, logoutId, request };
}

/** Ends sessions, within the transaction. One that somebody else ended in the meantime stays as it is. */
export async function storeEndings(ctx: Context, endings: readonly Ending[], reason: EndReason): Promise<void> {
  for (const { session, logoutId } of endings) {
    const row = await ctx.db.get(samlSessions, session.id);
    if (row?.value.state === "live") await endSession(ctx, row.value, reason, logoutId);
  }
}
