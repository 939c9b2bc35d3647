import type { Wanted } from "../../api/browser-session.js";
import { ProblemError } from "../../api/client.js";

/** What the server asks for beside the password; empty for any other refusal. */
export function wantedBy(error: unknown): Wanted {
  if (!ProblemError.is(error)) return {};
  const {
    code,
    tenants,
    challenge,
    enrol = [],
    methods = [],
    passkey,
  } = error.problem as Wanted & { readonly code?: string };
  if (code === "tenant_required" && tenants) return { tenants };
  return code === "second_factor_required" && challenge
    ? { challenge, enrol, methods, ...(passkey ? { passkey } : {}) }
    : {};
}
