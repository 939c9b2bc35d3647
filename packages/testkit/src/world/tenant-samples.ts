import type { Sample } from "./sample.js";

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
} as const satisfies Readonly<Record<string, Sample>>;
