import { createClient } from "@reeve/client";
import { mountUrl, PAGE_HEADERS } from "./base.js";
import { provingFetch } from "./step-up.js";

export type { components } from "@reeve/client";
export { ProblemError } from "@reeve/client";

/** Calls the published operations. The cookie of the session says who asks. */
export const client = createClient({
  baseUrl: mountUrl.href,
  headers: PAGE_HEADERS,
  fetch: provingFetch,
  retries: 2,
  maxRetryDelay: 4_000,
});
