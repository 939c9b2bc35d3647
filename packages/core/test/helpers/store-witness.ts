import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "@reeve/core";
import { expect, inject } from "vitest";
import { askedOf } from "./asked-of-store.js";

/** A folder for what each test file asks of its store; nothing is noted when absent. */
const folder = process.env.REEVE_STORE_WITNESS;

/** What the running test file has asked. */
const asked = new Set<string>();

/** The store, with a note of what tests ask of it when the run is witnessed. */
export function witnessed(store: Store): Store {
  return folder === undefined ? store : noting(store, storeMember);
}

/** Ends the notes of a test file. */
export async function endWitness(): Promise<void> {
  if (folder === undefined || asked.size === 0) return;
  const file = expect.getState().testPath as string;
  const store = inject("store") ?? "memory";
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ file, store, asked: [...asked] })}\n`);
  asked.clear();
}

// biome-ignore lint/suspicious/noExplicitAny: methods of every store and reader pass through
type Method = (...args: any[]) => any;
type Member = (name: string, method: Method) => Method;

/** The same object, whose methods are called through `member`. */
function noting<T extends object>(target: T, member: Member | ((name: string, value: unknown) => unknown)): T {
  return new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof name !== "string" || name === "constructor") return value;
      if (typeof value === "function") return (member as Member)(name, value.bind(target) as Method);
      return (member as (name: string, value: unknown) => unknown)(name, value);
    },
  });
}

function storeMember(name: string, value: unknown): unknown {
  if (name === "platform" || name === "dues") return noting(value as object, within(name));
  if (typeof value !== "function") return value;
  const method = value as Method;
  switch (name) {
    case "forTenant":
      return (tenantId: string) => noting(method(tenantId) as object, within("alone"));
    case "replica":
      return (tenantId: string) => noting(method(tenantId) as object, within("replica"));
    case "transaction":
      return (tenantId: string, work: Method, kind?: string) => {
        asked.add(kind === undefined ? "store: transaction" : "store: transaction of a kind");
        return method(tenantId, (tx: object) => work(noting(tx, within("tx", { wrote: false }))), kind);
      };
    default:
      return value;
  }
}

const WRITES = ["insert", "insertMany", "replace", "remove", "append", "eraseEvents", "pruneEvents", "purge"];

/** Notes calls of one reader or writer. What a transaction reads after it has written is another thing to a store. */
function within(where: string, state?: { wrote: boolean }) {
  return (name: string, value: unknown): unknown => {
    if (name === "afterCommit") return noting(value as object, within("after commit"));
    if (typeof value !== "function") return value;
    const method = value as Method;
    if (name === "as") return (tenantId: string) => noting(method(tenantId) as object, within("tx of another", state));
    if (name === "committed") return (tenantId: string) => noting(method(tenantId) as object, within("committed"));
    return (...args: unknown[]) => {
      const place = state?.wrote ? `${where} that wrote` : where;
      for (const one of askedOf(WRITES.includes(name) ? where : place, name, args)) asked.add(one);
      if (state && WRITES.includes(name)) state.wrote = true;
      return method(...args);
    };
  };
}
