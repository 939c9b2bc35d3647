import { endSignIn } from "#families/identity/index.js";
import type { Principal } from "#kernel/config/principal.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { SamlSigner } from "#ports/saml.js";
import { EventLoopYielder } from "#store/event-loop.js";
import { engineOf } from "../engine/use-engine.js";
import { samlKeyRing } from "../keys/key-ring.js";
import { issuerOf } from "../saml-apps/assertion/issuer.js";
import type { SamlApp } from "../saml-apps/schema.js";
import { endSession } from "../sessions/end/end.js";
import { appsOf, openSessions } from "../sessions/queries.js";
import type { EndReason } from "../sessions/rules.js";
import { type SamlSession, samlSessions } from "../sessions/schema.js";

/** A session that a logout ends. */
export interface Ending {
  readonly session: SamlSession;
  readonly app: SamlApp | undefined;
  /** Id of the request that the person's browser takes to the application, with its address. */
  readonly logoutId: string | null;
  /** `null` where no browser can take it. */
  readonly url: string | null;
}

/** The live sessions of somebody at all applications. */
export async function liveSessions(ctx: ReadContext, userId: string): Promise<readonly SamlSession[]> {
  return (await openSessions(ctx.db, { userId })).filter(({ endsAt }) => endsAt > ctx.now);
}

/** Writes the requests that a browser takes to applications, before the transaction that ends the sessions. */
export async function prepareEndings(
  ctx: ReadContext,
  { tenantId }: Pick<Principal, "tenantId">,
  sessions: readonly SamlSession[],
): Promise<readonly Ending[]> {
  if (sessions.length === 0) return [];
  const { signer } = await ctx.env.use(samlKeyRing).of(tenantId);
  const apps = await appsOf({ db: ctx.env.store.forTenant(tenantId) }, sessions);
  const endings: Ending[] = [];
  const yielder = new EventLoopYielder();
  // A signature takes milliseconds of the event loop, so that other work goes on between them.
  for (const session of sessions) {
    if (yielder.isDue) await yielder.pass();
    endings.push(await ending(ctx, tenantId, signer, session, apps.get(session.appId)));
  }
  return endings;
}

async function ending(
  ctx: ReadContext,
  tenantId: string,
  signer: SamlSigner,
  session: SamlSession,
  app: SamlApp | undefined,
): Promise<Ending> {
  // Nobody sends a form in a frame, so that only a redirect reaches an application by the browser.
  if (!app?.sloUrl || app.sloBinding !== "redirect") return { session, app, logoutId: null, url: null };
  const logoutId = `_${ctx.newId("samr")}`;
  const draft = {
    issuer: issuerOf(ctx.env, tenantId),
    signer,
    id: logoutId,
    now: ctx.request.nowMs,
    destination: app.sloUrl,
    binding: "redirect",
    relayState: null,
  } as const;
  const { nameId, nameIdFormat, sessionIndex } = session;
  const request = await engineOf(ctx.env).writeLogoutRequest(draft, { nameId, nameIdFormat, sessionIndex });
  return { session, app, logoutId, url: request.binding === "redirect" ? request.url : null };
}

/**
 * Ends sessions, within the transaction, with the sign-ins by which people came. One that somebody else ended in the
 * meantime stays as it is.
 */
export async function storeEndings(ctx: Context, endings: readonly Ending[], reason: EndReason): Promise<void> {
  for (const { session, app, logoutId } of endings) {
    const row = await ctx.db.get(samlSessions, session.id);
    if (row?.value.state === "live") await endSession(ctx, row.value, reason, app, logoutId);
  }
  const signIns = new Map(endings.flatMap(({ session: { signIn } }) => (signIn ? [[signIn.tokenId, signIn]] : [])));
  for (const signIn of signIns.values()) await endSignIn(ctx, signIn);
}
