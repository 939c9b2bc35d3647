import { fork } from "node:child_process";
import { once } from "node:events";
import { type Answer, type Sending, START } from "@reeve/testkit";
import { inject } from "vitest";
import type { GivenOptions, SessionGuardOptions } from "../../src/index.js";
import type { Address } from "./address.js";
import { undoLater } from "./undo.js";

/** Commands to a process with a control plane. */
export type Command =
  | { readonly do: "send"; readonly method: string; readonly target: string; readonly sending?: Sending }
  | { readonly do: "tick" }
  | { readonly do: "guard"; readonly name: string; readonly options: SessionGuardOptions }
  | { readonly do: "check" | "aborted"; readonly name: string };

/** The settings of a process. Options must be serialisable as JSON. */
export interface PlaneSetting {
  readonly address: Address;
  readonly config: Omit<GivenOptions, "onEvent">;
}

/** Commands that start at the time `at` of the system clock, while the control plane's clock shows `now`. */
export interface ToPlane {
  readonly call: number;
  readonly now: string;
  readonly at: number;
  readonly commands: readonly Command[];
}

export type FromPlane =
  | { readonly ready: true }
  | { readonly delivered: string }
  | { readonly warned: string }
  | { readonly call: number; readonly results: readonly unknown[]; readonly failures: readonly string[] };

/** Time for every process to receive its message, so that all start together. */
const HEAD_START_MS = 25;

export const sending = (method: string, target: string, more: Sending = {}): Command => ({
  do: "send",
  method,
  target,
  sending: more,
});
export const tick: Command = { do: "tick" };

/** Separate processes, each with a control plane on the same database. */
export class Planes {
  /** The ids of events that processes delivered to their hosts, in that order. */
  readonly delivered: string[] = [];
  /** What processes warned of, in that order. */
  readonly warnings: string[] = [];
  /** The time of the control planes' clocks at the next command. */
  now = START;
  #calls = 0;

  readonly processes: PlaneProcess[];

  private constructor(
    count: number,
    private readonly setting: PlaneSetting,
  ) {
    this.processes = Array.from({ length: count }, () => this.#begin());
  }

  #begin(): PlaneProcess {
    const one = new PlaneProcess(this.setting);
    one.onDelivery = (id) => this.delivered.push(id);
    one.onWarning = (text) => this.warnings.push(text);
    return one;
  }

  /** Starts `count` processes. They stop at the end of the test, or of the file when a hook started them. */
  static async start(count: number, setting: PlaneSetting): Promise<Planes> {
    const planes = new Planes(count, setting);
    undoLater(async () => void (await Promise.all(planes.processes.map((one) => one.stop()))));
    await Promise.all(planes.processes.map((one) => one.ready));
    return planes;
  }

  /** Starts another process in the place of each that was killed. */
  async revive(): Promise<void> {
    for (const [at, one] of this.processes.entries()) if (one.isKilled) this.processes[at] = this.#begin();
    await Promise.all(this.processes.map((one) => one.ready));
  }

  /** Starts the commands of every process at the same time. Returns all results, in the order of the processes. */
  async race<Result = Answer>(commands: (process: number) => readonly Command[]): Promise<Result[]> {
    const at = Date.now() + HEAD_START_MS;
    const calls = this.processes.map((one, index) => this.#ask(one, at, commands(index)));
    return (await Promise.all(calls)).flat() as Result[];
  }

  /** Runs one command in one process. */
  async run<Result = Answer>(process: number, command: Command): Promise<Result> {
    const [result] = await this.#ask(this.processes[process] as PlaneProcess, Date.now(), [command]);
    return result as Result;
  }

  /** Ends a process as a crash does. What it was asked rejects. */
  async kill(process: number): Promise<void> {
    await (this.processes[process] as PlaneProcess).kill();
  }

  /** Runs the same commands in every process. */
  all<Result = Answer>(...commands: readonly Command[]): Promise<Result[]> {
    return this.race(() => commands);
  }

  #ask(one: PlaneProcess, at: number, commands: readonly Command[]): Promise<readonly unknown[]> {
    this.#calls += 1;
    return one.ask({ call: this.#calls, now: this.now, at, commands });
  }
}

interface Waiting {
  resolve(results: readonly unknown[]): void;
  reject(error: Error): void;
}

class PlaneProcess {
  readonly ready: Promise<void>;
  onDelivery: (id: string) => void = () => {};
  onWarning: (text: string) => void = () => {};
  readonly #child;
  readonly #exited: Promise<unknown>;
  readonly #waiting = new Map<number, Waiting>();
  isKilled = false;

  constructor(setting: PlaneSetting) {
    const program = inject("programs")["packages/core/test/helpers/plane-process.ts"];
    this.#child = fork(program, [JSON.stringify(setting)], {
      execArgv: [],
      env: { PATH: process.env.PATH },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#exited = once(this.#child, "exit");
    this.ready = new Promise((resolve, reject) => {
      this.#child.on("message", (message: FromPlane) => {
        if ("ready" in message) resolve();
        else if ("delivered" in message) this.onDelivery(message.delivered);
        else if ("warned" in message) this.onWarning(message.warned);
        else this.#settle(message);
      });
      void this.#exited.then(() => {
        const ended = new Error("a process with a control plane has ended");
        reject(ended);
        for (const waiting of this.#waiting.values()) waiting.reject(ended);
      });
    });
  }

  ask(message: ToPlane): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(message.call, { resolve, reject });
      this.#child.send(message);
    });
  }

  /** Lets the process close its store and exit. */
  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    await this.#exited;
  }

  async kill(): Promise<void> {
    this.isKilled = true;
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  #settle({ call, results, failures }: Extract<FromPlane, { call: number }>): void {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (failures.length > 0) waiting?.reject(new Error(failures.join("\n")));
    else waiting?.resolve(results);
  }
}
