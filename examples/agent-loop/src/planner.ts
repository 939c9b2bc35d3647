import type { ToolCall } from "./tools.js";

/** What was called, and what came of it. */
export interface Step {
  readonly call: ToolCall;
  readonly result: string;
}

/** Decides what to do next from what has been done; `undefined` when the goal is reached. A model would stand here. */
export type Planner = (done: readonly Step[]) => ToolCall | undefined;

/** Adds up numbers one after the other, says the sum, and then watches something that takes long. */
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
