import type { ControlPlane } from "@reeve/core";
import { vi } from "vitest";

/** How a program asks a control plane in process. */
const ASKS = ["call", "decide", "sessionGuard", "fetch"] as const;

/** How often a page asks: operations in process, requests over HTTP and commands, by the heading that they stand under. */
export class Calls {
  #section: string | undefined;
  readonly #counts = new Map<string, number>();

  /** Counts what follows under a heading. */
  enter(section: string): void {
    this.#section = section;
  }

  add(count = 1): void {
    if (this.#section === undefined) return;
    this.#counts.set(this.#section, (this.#counts.get(this.#section) ?? 0) + count);
  }

  of(section: string): number {
    return this.#counts.get(section) ?? 0;
  }
}

let present = new Calls();

/** Begins to count for a page. */
export function newCalls(): Calls {
  present = new Calls();
  return present;
}

/** Has what a control plane is asked counted. */
export function counted(controlPlane: ControlPlane): ControlPlane {
  for (const name of ASKS) {
    const ask = controlPlane[name] as (...args: unknown[]) => unknown;
    vi.spyOn(controlPlane as Record<typeof name, typeof ask>, name).mockImplementation((...args) => {
      present.add();
      return ask(...args);
    });
  }
  return controlPlane;
}
