import { KERNEL_DEFAULTS } from "../../../../kernel/config/options.js";
import { problemDocument, ReeveError } from "../../../../kernel/http/errors.js";
import type { NeutralResponse } from "../../../../kernel/http/http.js";
import { PROBLEM_TYPE } from "../../../../kernel/pipeline/encode.js";
import { SessionBlockedError } from "./blocked.js";
import type { SessionGuard, SessionGuardOptions } from "./open.js";

/** How a gateway guards the sessions of the requests that pass through it. */
export interface SessionGateOptions extends Pick<SessionGuardOptions, "pepId" | "leaseMs" | "mode"> {
  /** The most sessions guarded at once; 1,000 when absent. Those not in use longest make room. */
  readonly mostSessions?: number;
}

/** A request that may pass: the guard of its session, and what to call when it has been answered. */
export interface Admitted {
  readonly guard: SessionGuard;
  release(): void;
}

export type Admission = Admitted | { readonly refusal: NeutralResponse };

export interface SessionGate {
  /** Lets a request of a session pass, or says how to answer it. `sessionId` is what stood in the header. */
  admit(tenantId: string | undefined, sessionId: string | readonly string[] | undefined): Promise<Admission>;
  /** Closes all guards. */
  close(): Promise<void>;
}

interface Entry {
  readonly key: string;
  readonly guard: Promise<SessionGuard>;
  users: number;
}

const MOST_SESSIONS = 1_000;

/** Guards sessions request by request, for gateways: one guard a session, kept while its requests come. */
export function sessionGate(
  controlPlane: { sessionGuard(options: SessionGuardOptions): Promise<SessionGuard> },
  { mostSessions = MOST_SESSIONS, ...options }: SessionGateOptions = {},
): SessionGate {
  // In the order of their last use.
  const entries = new Map<string, Entry>();

  function entryOf(tenantId: string, sessionId: string): Entry {
    const key = JSON.stringify([tenantId, sessionId]);
    const known = entries.get(key);
    const entry = known ?? { key, guard: controlPlane.sessionGuard({ ...options, tenantId, sessionId }), users: 0 };
    if (!known) makeRoom(entries, mostSessions);
    entries.delete(key);
    entries.set(key, entry);
    return entry;
  }

  return {
    async admit(tenantId, sessionId) {
      if (tenantId === undefined || typeof sessionId !== "string" || sessionId === "")
        return { refusal: refusalOf(new ReeveError("session_missing")) };
      let entry: Entry | undefined;
      try {
        entry = entryOf(tenantId, sessionId);
        entry.users += 1;
        const guard = await entry.guard;
        await guard.check();
        return { guard, release: oneUseOf(entry) };
      } catch (error) {
        if (entry) {
          entry.users -= 1;
          // One that has ended is not kept; another request would find that out anew.
          if (entry.users === 0 && !isPassing(error)) discard(entries, entry);
        }
        return { refusal: refusalOf(error) };
      }
    },
    async close() {
      const all = [...entries.values()];
      entries.clear();
      // Closing logs what it could not report; who waited for a guard that did not open was told.
      await Promise.all(all.map(({ guard }) => guard.then((open) => open.close()).catch(() => undefined)));
    },
  };
}

/** Counts one use of an entry down, at most once. */
function oneUseOf(entry: Entry): () => void {
  let held = true;
  return () => {
    if (held) entry.users -= 1;
    held = false;
  };
}

/** Closes the guard that has gone unused for longest when there are as many as may be. */
function makeRoom(entries: Map<string, Entry>, most: number): void {
  if (entries.size < most) return;
  const idle = [...entries.values()].find(({ users }) => users === 0);
  if (idle) discard(entries, idle);
  else throw new ReeveError("overloaded", "Too many sessions are in use at once.", { headers: { "retry-after": "1" } });
}

function discard(entries: Map<string, Entry>, entry: Entry): void {
  entries.delete(entry.key);
  // Closing logs what it could not report; who waited for a guard that did not open was told.
  entry.guard.then((guard) => guard.close()).catch(() => undefined);
}

/** Whether the session may go on later under the same guard. */
function isPassing(error: unknown): boolean {
  return SessionBlockedError.is(error) && (error.status === "suspended" || error.status === "unknown");
}

/** The answer to a request whose session may not go on. */
export function refusalOf(thrown: unknown): NeutralResponse {
  const error = SessionBlockedError.is(thrown) ? blocked(thrown) : thrown;
  if (!ReeveError.is(error)) throw error;
  const body = JSON.stringify(problemDocument(error, undefined, KERNEL_DEFAULTS.errorTypeBase));
  const length = String(Buffer.byteLength(body));
  const headers = { "content-type": PROBLEM_TYPE, "content-length": length, "cache-control": "no-store" };
  return { status: error.status, headers: { ...headers, ...error.headers }, body, operationId: undefined };
}

function blocked({ status, reason, epoch, message }: SessionBlockedError): ReeveError {
  const members = { sessionStatus: status, reason, epoch };
  return status === "unknown" || status === "closed"
    ? new ReeveError("session_unknown", message, { members, headers: { "retry-after": "1" } })
    : new ReeveError("session_blocked", message, { members });
}

/** What is needed of the response of a Node server. */
export interface CutResponse {
  readonly headersSent: boolean;
  destroy(): unknown;
  on(event: "error", listener: () => void): unknown;
  once(event: "close", listener: () => void): unknown;
}

/**
 * Ends an answer under way when its session ends: tidily with `refuse` as long as nothing of it has gone out, and otherwise by
 * closing the connection. Releases the session when the answer is over.
 */
export function endWithSession(
  response: CutResponse,
  { guard, release }: Admitted,
  refuse: (refusal: NeutralResponse) => void,
): void {
  const { signal } = guard;
  const cut = () => {
    // What the handler behind still writes leads nowhere.
    response.on("error", () => undefined);
    if (response.headersSent) response.destroy();
    else refuse(refusalOf(signal.reason));
  };
  signal.addEventListener("abort", cut, { once: true });
  response.once("close", () => {
    signal.removeEventListener("abort", cut);
    release();
  });
}
