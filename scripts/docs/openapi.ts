import { createControlPlane, createMemoryStore } from "@reeve/core";
import type { ReferencePage } from "./markdown.js";

/** The default address of the standalone server. */
const BASE_URL = "http://127.0.0.1:4000";

/** The API description with every route mounted, from a control plane of its own. */
export function openapiDocument(): Record<string, unknown> {
  const masterKey = Uint8Array.from({ length: 32 }, (_, index) => index);
  const controlPlane = createControlPlane({
    store: createMemoryStore(),
    masterKey,
    baseUrl: BASE_URL,
    rootRoutes: true,
    doors: true,
    reference: true,
  });
  return controlPlane.openapi();
}

export function openapiPage(): ReferencePage {
  return { file: "openapi.json", text: `${JSON.stringify(openapiDocument(), null, 2)}\n` };
}
