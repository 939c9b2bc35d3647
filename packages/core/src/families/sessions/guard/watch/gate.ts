import { KERNEL_DEFAULTS } from "#kernel/config/options.js";
import { problemDocument, ReeveError } from "#kernel/http/errors.js";
import type { NeutralResponse } from "#kernel/http/http.js";
import { PROBLEM_TYPE } from "#kernel/pipeline/encode.js";
import { SessionBlockedError } from "./blocked.js";
import type { SessionGuard, SessionGuardOptions } from "./open.js";

/** How a gateway guards the sessions of its requests. */
export interface SessionGateOptions extends Pick<SessionGuardOptions, "pepId" | "leaseMs" | "mode"> {
  /** The most sessions guarded at once; 1,000 when absent. The least recently used are closed first. */
  readonly mostSessions?: number;
}

/** An admitted request: the guard of its session, and a function to call after the response. */
export interface Admitted {
  readonly guard: SessionGuard;
  release(): void;
}

export type Admission = Admitted | { readonly refusal: NeutralResponse };

export interface SessionGate {
  /** Admits a request of a session, or returns the response that refuses it. `sessionId` is the value of the header. */
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

/** Guards sessions per request, for gateways. One guard per session is kept open between requests. */
export function sessionGate(
  controlPlane: { sessionGuard(options: SessionGuardOptions): Promise<SessionGuard> },
  { mostSessions = MOST_SESSIONS, ...options }: SessionGateOptions = {},
): SessionGate {
  // In the order of last use.
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
          // The guard of an ended session is closed. A later request opens one again and fails there.
          if (entry.users === 0 && !isPassing(error)) discard(entries, entry);
        }
        return { refusal: refusalOf(error) };
      }
    },
    async close() {
      const all = [...entries.values()];
      entries.clear();
      // `close` logs its own failures. A failure to open was reported to its caller.
      await Promise.all(all.map(({ guard }) => guard.then((open) => open.close()).catch(() => undefined)));
    },
  };
}

/** A function that ends one use of an entry, at most once. */
function oneUseOf(entry: Entry): () => void {
  let held = true;
  return () => {
    if (held) entry.users -= 1;
    held = false;
  };
}

/** Closes the least recently used idle guard when the limit is reached. 503 `overloaded` when none is idle. */
function makeRoom(entries: Map<string, Entry>, most: number): void {
  if (entries.size < most) return;
  const idle = [...entries.values()].find(({ users }) => users === 0);
  if (idle) discard(entries, idle);
  else throw new ReeveError("overloaded", "Too many sessions are in use at once.", { headers: { "retry-after": "1" } });
}

function discard(entries: Map<string, Entry>, entry: Entry): void {
  entries.delete(entry.key);
  // `close` logs its own failures. A failure to open was reported to its caller.
  entry.guard.then((guard) => guard.close()).catch(() => undefined);
}

/** Whether the session may continue later with the same guard. */
function isPassing(error: unknown): boolean {
  return SessionBlockedError.is(error) && (error.status === "suspended" || error.status === "unknown");
}

/** The response for a request of a blocked session. */
export function refusalOf(thrown: unknown): NeutralResponse {
  const error = SessionBlockedError.is(thrown) ? blocked(thrown) : thrown;
  if (!ReeveError.is(error)) throw error;
  const body = JSON.stringify(problemDocument(error, undefined, KERNEL_DEFAULTS.errorTypeBase));
  const length = String(Buffer.byteLength(body));
  const headers = { "content-type": PROBLEM_TYPE, "content-length": length, "cache-control": "no-store" };
  return { status: error.status, headers: { ...headers, ...error.headers }, body, errorCode: error.code };
}

function blocked({ status, reason, epoch, message }: SessionBlockedError): ReeveError {
  const members = { sessionStatus: status, reason, epoch };
  return status === "unknown" || status === "closed"
    ? new ReeveError("session_unknown", message, { members, headers: { "retry-after": "1" } })
    : new ReeveError("session_blocked", message, { members });
}

/** The members of a Node response that are used. */
export interface CutResponse {
  readonly closed: boolean;
  readonly headersSent: boolean;
  destroy(): unknown;
  on(event: "error", listener: () => void): unknown;
  once(event: "close", listener: () => void): unknown;
}

/**
 * Ends a response when its session ends: with `refuse` while no headers were sent, otherwise by closing the connection.
 * Releases the session after the response. `false` when the client has left meanwhile, so that nothing is to be done.
 */
export function endWithSession(
  response: CutResponse,
  { guard, release }: Admitted,
  refuse: (refusal: NeutralResponse) => void,
): boolean {
  if (response.closed) {
    release();
    return false;
  }
  const { signal } = guard;
  const cut = () => {
    // Later writes of the handler fail, and that is expected.
    response.on("error", () => undefined);
    if (response.headersSent) response.destroy();
    else refuse(refusalOf(signal.reason));
  };
  signal.addEventListener("abort", cut, { once: true });
  response.once("close", () => {
    signal.removeEventListener("abort", cut);
    release();
  });
  return true;
}
