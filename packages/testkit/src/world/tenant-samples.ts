import type { Sample } from "./sample.js";
import type { Actor, Scene } from "./scene.js";

/** A view that the caller may change, made by the caller. */
export async function newSavedView(scene: Scene, { token }: Actor = scene.owner) {
  const body = { list: "estate", name: scene.unique(), filters: { type: "agent" } };
  const { json } = await scene.send("POST", "/api/v1/saved-views", { token, body });
  return { id: json.id as string };
}

/** The samples of what a tenant says of itself. */
export const tenantSamples = {
  "tenantDomain.read": {},
  "tenantDomain.patch": { body: (scene) => ({ subdomain: scene.unique() }) },
  "tenantDomain.putAlias": { body: (scene) => ({ name: `${scene.unique()}.example.com` }) },
  "tenantDomain.removeAlias": {
    async arrange(scene) {
      const body = { configuration: { domain: `${scene.unique()}.example.com` } };
      await scene.send("PUT", "/api/v1/tenant/domain/alias", { token: scene.owner.token, body });
      return {};
    },
  },
  "tenantSettings.read": {},
  "tenantSettings.patch": {
    async arrange(scene) {
      const body = { strictBodies: null };
      await scene.send("PATCH", "/api/v1/tenant/settings", { token: scene.owner.token, body });
      return {};
    },
    body: () => ({ strictBodies: false, reason: "because a test wants it so" }),
  },
  "savedViews.list": {},
  "savedViews.create": { body: (scene) => ({ list: "estate", name: scene.unique(), filters: { type: "agent" } }) },
  "savedViews.read": { arrange: newSavedView },
  "savedViews.patch": { arrange: newSavedView, body: (scene) => ({ name: scene.unique() }) },
  "savedViews.remove": { arrange: newSavedView },
} as const satisfies Readonly<Record<string, Sample>>;
