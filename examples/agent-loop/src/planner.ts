import type { ToolCall } from "./tools.js";

/** A call and its result. */
export interface Step {
  readonly call: ToolCall;
  readonly result: string;
}

/** Decides the next call from those done; `undefined` when the goal is reached. A real agent would ask a model. */
export type Planner = (done: readonly Step[]) => ToolCall | undefined;

/** Adds numbers one by one, echoes the sum, and then runs a long operation. */
export function addAndWatch(numbers: readonly number[], seconds: number): Planner {
  return (done) => {
    const sums = done.filter(({ call }) => call.name === "get-sum");
    const sum = Number(sums.at(-1)?.result.match(/is (-?[\d.]+)\.?$/)?.[1] ?? numbers[0]);
    const next = numbers[sums.length + 1];
    if (next !== undefined) return { name: "get-sum", arguments: { a: sum, b: next } };
    const called = (name: string) => done.some(({ call }) => call.name === name);
    if (!called("echo")) return { name: "echo", arguments: { message: `The sum is ${sum}` } };
    if (called("trigger-long-running-operation")) return undefined;
    return { name: "trigger-long-running-operation", arguments: { duration: seconds, steps: seconds } };
  };
}
