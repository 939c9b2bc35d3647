import { fork } from "node:child_process";
import { once } from "node:events";
import { ISSUER, MASTER_KEY } from "./estate.js";
import type { Database } from "./server.js";
import { openControlPlane, openStore } from "./subject.js";

/** Start options of a process that guards sessions. */
export interface GuardConfig {
  readonly database: Database;
  readonly tenantId: string;
  readonly leaseMs: number;
}

/** Session guards, possibly in another process. */
export interface FarGuards {
  /** Resolves once the session is guarded there. */
  guard(sessionId: string): Promise<void>;
  /** Resolves once this process knows that the guard has cancelled. */
  cancelled(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

export type LaunchGuards = (config: GuardConfig) => Promise<FarGuards>;

/** Guards in this process, on a separate control plane: for checking, not for measuring. */
export const guardHere: LaunchGuards = async ({ database, tenantId, leaseMs }) => {
  const controlPlane = openControlPlane(openStore(database), { issuer: ISSUER, masterKey: MASTER_KEY });
  await controlPlane.ready();
  const signals = new Map<string, AbortSignal>();
  return {
    async guard(sessionId) {
      signals.set(sessionId, (await controlPlane.sessionGuard({ tenantId, sessionId, leaseMs })).signal);
    },
    async cancelled(sessionId) {
      const signal = signals.get(sessionId) as AbortSignal;
      if (!signal.aborted) await once(signal, "abort");
      signals.delete(sessionId);
    },
    close: () => controlPlane.close(),
  };
};

type ToChild = { readonly guard: string };
type FromChild = { readonly guarded: string } | { readonly cancelled: string } | { readonly ready: true };

/** Guards in a separate process, which runs this program. */
export const guardApart: LaunchGuards = async (config) => {
  const child = fork(process.argv[1] as string, ["serve-guard", JSON.stringify(config)]);
  const exited = once(child, "exit");
  const waiting = new Map<string, () => void>();
  const heard = (what: string) => new Promise<void>((resolve) => waiting.set(what, resolve));
  child.on("message", (message: FromChild) => {
    const what = JSON.stringify(message);
    waiting.get(what)?.();
    waiting.delete(what);
  });
  await Promise.race([
    heard(JSON.stringify({ ready: true })),
    exited.then(() => Promise.reject(new Error("the process that guards has ended"))),
  ]);
  return {
    guard(sessionId) {
      const guarded = heard(JSON.stringify({ guarded: sessionId }));
      child.send({ guard: sessionId } satisfies ToChild);
      return guarded;
    },
    cancelled: (sessionId) => heard(JSON.stringify({ cancelled: sessionId })),
    async close() {
      child.disconnect();
      await exited;
    },
  };
};

/** The child process: guards sessions on request until the parent disconnects. */
export async function guardForParent(config: GuardConfig): Promise<void> {
  const guards = await guardHere(config);
  const report = (message: FromChild) => process.send?.(message);
  process.on("message", async ({ guard: id }: ToChild) => {
    await guards.guard(id);
    report({ guarded: id });
    await guards.cancelled(id);
    report({ cancelled: id });
  });
  process.once("disconnect", () => {
    guards.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  report({ ready: true });
}
