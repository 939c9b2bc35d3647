import { guardedFetch } from "#egress/guarded-fetch.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ConnectingEgress } from "#ports/egress.js";
import type { Logger } from "#ports/logger.js";
import type { ConnectorContext } from "../context.js";
import { ConnectorError } from "../error.js";
import { connectorFailure } from "./failure.js";
import type { Mask } from "./mask.js";
import type { CallFacts, InstanceParts } from "./parts.js";

const MAX_BYTES = 8_388_608;
const REDIRECTS = 3;

/** What a call adds to its instance. */
interface Running {
  readonly mask: Mask;
  readonly signal: AbortSignal;
  readonly timeLeft: () => number;
}

/** The context of one call. Nothing of it works once the signal is aborted. */
export function contextOf(
  parts: InstanceParts,
  facts: CallFacts,
  { mask, signal, timeLeft }: Running,
): ConnectorContext {
  const { egress, secrets, admit } = parts;
  const { capability, correlationId, idempotencyKey, attempt = 1 } = facts;
  const failed = (error: unknown) => connectorFailure(signal.aborted ? signal.reason : error, capability, mask);
  const opened = async () => {
    const read = await secrets.read();
    mask.hide(Object.values(read.values));
    return read;
  };
  async function outgoing<T>(call: () => Promise<T>): Promise<T> {
    try {
      signal.throwIfAborted();
      await admit();
      return await call();
    } catch (error) {
      throw failed(error);
    }
  }
  return Object.freeze({
    tenantId: parts.tenantId,
    instanceId: parts.instanceId,
    config: parts.config,
    async secret(name: string) {
      const { values } = await opened();
      return values[name] as string;
    },
    async refreshSecrets(stale, refresh) {
      return secrets.exclusively(async () => {
        const { values, version } = await opened();
        if (Object.entries(stale).some(([name, value]) => values[name] !== value)) return values;
        const patch = definedOnly(await refresh(values));
        mask.hide(Object.values(patch));
        await secrets.replace(patch, version);
        return { ...values, ...patch };
      });
    },
    signal,
    timeLeft,
    fetch: (input, init) =>
      outgoing(async () => {
        mask.hide(credentialsOf(input, init));
        const timeoutMs = Math.max(1, timeLeft());
        const send = guardedFetch(egress, { timeoutMs, maxBytes: MAX_BYTES, redirects: REDIRECTS });
        const given = init?.signal ? [signal, init.signal] : [signal];
        return send(input, { ...init, signal: AbortSignal.any(given) });
      }),
    address: (host, port) =>
      outgoing(async () => {
        if (!("address" in egress)) throw new ReeveError("target_not_allowed");
        return (egress as ConnectingEgress).address(host, port, signal);
      }),
    permit: () => outgoing(async () => undefined),
    idempotencyKey,
    attempt,
    correlationId,
    logger: maskedLogger(parts, mask, facts),
    state: parts.state,
  } satisfies ConnectorContext);
}

/** What a request authenticates with, as it is sent: with Basic that is no secret itself, and tells one. */
function credentialsOf(input: string | URL | Request, init?: RequestInit): readonly string[] {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  return (headers.get("authorization") ?? "").split(" ").slice(1);
}

function definedOnly(patch: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(patch).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (given.length === 0) throw new ConnectorError("auth", "The target gave no new secret.");
  return Object.fromEntries(given);
}

function maskedLogger({ logger, instanceId }: InstanceParts, mask: Mask, { correlationId }: CallFacts): Logger {
  const write = (level: keyof Logger) => (fields: Record<string, unknown>, message: string) =>
    logger[level]({ ...(mask.value(fields) as object), instanceId, correlationId }, mask.text(message));
  return { info: write("info"), warn: write("warn"), error: write("error") };
}
