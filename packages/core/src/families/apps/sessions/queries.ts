import { inChunks } from "#kernel/async/in-chunks.js";
import type { Context } from "#kernel/operation/context.js";
import type { Reader } from "#store/store.js";
import { type SamlApp, samlApps } from "../saml-apps/schema.js";
import { type SamlSession, samlSessions } from "./schema.js";

const PAGE = 200;

/** All open sessions of somebody, of an application, or of a name at one. */
export async function openSessions(
  reader: Reader,
  where: { readonly userId: string } | { readonly appId: string; readonly nameId?: string },
): Promise<SamlSession[]> {
  const query = { where: { ...where, state: "live" }, size: PAGE };
  let found = await reader.find(samlSessions, query);
  const sessions = found.rows.map(({ value }) => value);
  while (found.next) {
    found = await reader.find(samlSessions, { ...query, after: found.next });
    sessions.push(...found.rows.map(({ value }) => value));
  }
  return sessions;
}

/** The applications of sessions, by id. */
export async function appsOf(
  { db }: { readonly db: Pick<Context["db"], "getMany"> },
  sessions: readonly Pick<SamlSession, "appId">[],
): Promise<ReadonlyMap<string, SamlApp>> {
  const apps = await inChunks([...new Set(sessions.map(({ appId }) => appId))], (ids) => db.getMany(samlApps, ids));
  return new Map(apps.map(({ id, value }) => [id, value]));
}
