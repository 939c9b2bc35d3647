import type { z } from "zod";
import type { ErrorCode } from "../../http/errors.js";
import { type DescribedOperation, effectOf } from "../../operation/operation.js";
import { changesRecord } from "../concurrency.js";
import { takesIdempotencyKey } from "../idempotency.js";

/** Every code that an operation can answer: its own, and those that follow from access, parameters, query and body. */
export function errorCodesOf(operation: DescribedOperation): ErrorCode[] {
  const codes = new Set<ErrorCode>(operation.errors ?? []);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  add(
    "invalid_encoding",
    "invalid_parameter",
    "forbidden_key",
    "rate_limited",
    "internal",
    "storage_unavailable",
    "storage_busy",
    "secret_unavailable",
    "shutting_down",
  );
  if (operation.access !== "public")
    add("token_missing", "invalid_token", "token_expired", "issuer_unavailable", "tenant_suspended", "invalid_request");
  // A page of another site may have sent it with what a host or a cookie knows people by.
  if (operation.access !== "public" && effectOf(operation) !== "read") add("permission_denied");
  if (typeof operation.access === "object") {
    add("permission_denied");
    if (operation.access.capability) add("capability_not_licensed");
    if (operation.access.provider) add("provider_policy");
  }
  if (operation.params) add("not_found");
  if (operation.body) add("invalid_request", "invalid_json", "payload_too_large", "unsupported_media_type");
  if (operation.access !== "public" && operation.query && "cursor" in ((operation.query as z.ZodObject).shape ?? {}))
    add("invalid_cursor", "page_window_exceeded");
  if (operation.method !== "GET") add("storage_full", "outcome_unknown", "concurrent_modification");
  if (operation.path.includes("{id}") && operation.method !== "GET") add("precondition_failed");
  if (changesRecord(operation)) add("precondition_required");
  if (takesIdempotencyKey(operation)) {
    add("idempotency_key_required", "idempotency_key_reused", "idempotency_in_progress");
    if (operation.secret) add("idempotency_secret_not_replayable");
  }
  if (operation.errors?.includes("self_approval_forbidden")) add("related_party_forbidden", "step_up_required");
  if (operation.killSwitches) add("kill_switch_active");
  return [...codes].sort();
}
