import { runEndedOf } from "@reeve/guard";
import type { Driver } from "../story/driver.js";

/** A loop without any framework. */
export const plain: Driver = {
  name: "the guard alone",
  async play(guard, calls, tools) {
    const told: string[] = [];
    let modelCalls = 0;
    try {
      for (;;) {
        await guard.check();
        const call = calls[modelCalls];
        modelCalls += 1;
        await tools.asked();
        if (!call) return { told, modelCalls, ended: undefined };
        const run = guard.wrap(call.tool, (args: object, { signal }) => tools.run(call.tool, args, signal));
        const result = await run(call.broken ? { amount: Number.NaN } : call.args);
        told.push(typeof result === "string" ? result : result.message);
      }
    } catch (error) {
      return { told, modelCalls, ended: runEndedOf(error) ?? error };
    }
  },
};
