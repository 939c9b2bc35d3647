import { createControlPlane, createMemoryStore } from "@reeve/core";
import type { ReferencePage } from "./markdown.js";

/** Where the standalone server answers by default. */
const BASE_URL = "http://127.0.0.1:4000";

/** The interface description with every route mounted, as a control plane of its own gives it. */
export function openapiDocument(): Record<string, unknown> {
  const masterKey = Uint8Array.from({ length: 32 }, (_, index) => index);
  const controlPlane = createControlPlane({
    store: createMemoryStore(),
    masterKey,
    baseUrl: BASE_URL,
    rootRoutes: true,
    reference: true,
  });
  return controlPlane.openapi();
}

export function openapiPage(): ReferencePage {
  return { file: "openapi.json", text: `${JSON.stringify(openapiDocument(), null, 2)}\n` };
}
