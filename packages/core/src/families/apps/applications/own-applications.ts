import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { assignedApps } from "../assignments/check/assigned.js";
import { type SamlApp, samlApps } from "../saml-apps/schema.js";
import { hiddenApps, hiddenId } from "./schema.js";

/** The applications that the caller can launch and has not removed, by name. */
export async function ownApps(ctx: ReadContext): Promise<readonly SamlApp[]> {
  const ids = [...(await assignedApps(ctx.db, ctx.principal))];
  const keys = ids.map((id) => hiddenId(ctx.principal.userId, id));
  const hidden = new Set((await inChunks(keys, (some) => ctx.db.getMany(hiddenApps, some))).map(({ id }) => id));
  const apps = (await inChunks(ids, (some) => ctx.db.getMany(samlApps, some))).map(({ value }) => value);
  return apps
    .filter((app) => app.status === "active" && app.visible && !hidden.has(hiddenId(ctx.principal.userId, app.id)))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
