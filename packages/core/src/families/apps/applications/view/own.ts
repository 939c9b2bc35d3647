import type { ReadContext } from "#kernel/operation/read-context.js";
import { assignedApps } from "../../assignments/check/assigned.js";
import { type SamlApp, samlApps } from "../../saml-apps/schema.js";
import { hiddenApps, hiddenId } from "../schema.js";

const BATCH = 200;

/** The applications that the caller can launch and has not removed, by name. */
export async function ownApps(ctx: ReadContext): Promise<readonly SamlApp[]> {
  const ids = [...(await assignedApps(ctx.db, ctx.principal))];
  const hidden = new Set<string>();
  const apps: SamlApp[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    const some = ids.slice(at, at + BATCH);
    const keys = some.map((id) => hiddenId(ctx.principal.userId, id));
    for (const { id } of await ctx.db.getMany(hiddenApps, keys)) hidden.add(id);
    apps.push(...(await ctx.db.getMany(samlApps, some)).map(({ value }) => value));
  }
  return apps
    .filter((app) => app.status === "active" && app.visible && !hidden.has(hiddenId(ctx.principal.userId, app.id)))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
