import { hoursMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import type { KernelOptions } from "../config/options.js";
import type { Principal } from "../config/principal.js";
import { canonical } from "../events/canonical.js";
import { ReeveError } from "../http/errors.js";
import { DUPLICATE, type NeutralRequest, singleHeader } from "../http/http.js";
import type { JsonObject } from "../http/json-guard.js";
import type { DescribedOperation, Operation } from "../operation/operation.js";
import { defineCollection } from "../records/collection.js";
import { type RawInput, TENANT_HINTS } from "./input.js";

const KEPT = hoursMs(24);
const KEY = /^[\x21-\x7e]{1,255}$/;

const KeptAnswer = z.object({
  id: z.string(),
  version: z.literal(1),
  createdAt: z.string(),
  expiresAt: z.string(),
  fingerprint: z.string(),
  status: z.int(),
  /** `null` when the answer held a secret. */
  body: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
});
export type KeptAnswer = z.output<typeof KeptAnswer>;

/** Answers kept for a day, so that a repeated request gets the first answer. */
export const idempotencyKeys = defineCollection<KeptAnswer>({
  name: "idempotency_keys",
  prefix: null,
  schema: KeptAnswer,
  fields: { expiresAt: { type: "time" } },
  indexes: [{ where: [], by: "expiresAt" }],
  secrets: ["fingerprint", "body", "headers"],
});

/** A request with an idempotency key. */
export interface IdempotentRequest {
  /** Hash of key, principal and route. The answer is kept under it. */
  readonly id: string;
  /** Hash of what is asked for. The same key with another fingerprint is refused. */
  readonly fingerprint: string;
}

interface Asked {
  readonly operation: Operation;
  readonly principal: Principal | undefined;
  readonly path: string;
  readonly query: RawInput["query"];
  readonly body: JsonObject | undefined;
}

/** Whether the operation takes an idempotency key: POST and PATCH with a bearer token that they do not end, and a body of ours. */
export function takesIdempotencyKey(operation: DescribedOperation): boolean {
  if (operation.endsToken || operation.takes) return false;
  return operation.access !== "public" && (operation.method === "POST" || operation.method === "PATCH");
}

/** Reads `Idempotency-Key`, which only POST and PATCH with a bearer token take. */
export function idempotentRequest(
  request: NeutralRequest,
  { operation, principal, path, query, body }: Asked,
  options: Pick<KernelOptions, "requireIdempotencyKey">,
): IdempotentRequest | undefined {
  if (!principal || !takesIdempotencyKey(operation)) return undefined;
  const key = singleHeader(request, "idempotency-key");
  if (key === undefined) {
    if (options.requireIdempotencyKey) throw new ReeveError("idempotency_key_required");
    return undefined;
  }
  if (key === DUPLICATE || !KEY.test(key)) {
    throw new ReeveError("invalid_request", "Idempotency-Key must be one value of 1 to 255 visible ASCII characters.");
  }
  return {
    id: sha256(JSON.stringify([principal.userId, operation.id, key])),
    fingerprint: sha256([operation.method, path, canonical(body ?? {}), ...queryOf(query)].join("\n")),
  };
}

/** The query as it tells requests apart; nothing for one without. Hints at a tenant are ignored everywhere. */
function queryOf(query: RawInput["query"]): string[] {
  const reported = Object.entries(query).filter(([name]) => !TENANT_HINTS.includes(name));
  return reported.length > 0 ? [canonical(Object.fromEntries(reported))] : [];
}

/** The kept answer to replay; `undefined` when there is none or it has expired. */
export function replayable(
  kept: KeptAnswer | undefined,
  request: IdempotentRequest,
  now: string,
): KeptAnswer | undefined {
  if (!kept || kept.expiresAt <= now) return undefined;
  if (kept.fingerprint !== request.fingerprint) throw new ReeveError("idempotency_key_reused");
  if (kept.body === null) throw new ReeveError("idempotency_secret_not_replayable");
  return kept;
}

export function keptAnswer(
  request: IdempotentRequest,
  answer: { status: number; body: string | null; headers: Record<string, string> },
  now: number,
): KeptAnswer {
  const time = (at: number) => new Date(at).toISOString();
  return {
    id: request.id,
    version: 1,
    createdAt: time(now),
    expiresAt: time(now + KEPT),
    fingerprint: request.fingerprint,
    ...answer,
  };
}
