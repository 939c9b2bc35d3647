import { type Answer, createPlane } from "@reeve/testkit";
import { ulidSource } from "../../src/index.js";
import { storeAt } from "./address.js";
import type { Command, FromPlane, PlaneSetting, ToPlane } from "./planes.js";

/** A process with a control plane of its own, on a store that others share, doing what it is sent. */
const { address, config } = JSON.parse(process.argv[2] as string) as PlaneSetting;
const { controlPlane, send, clock } = createPlane({
  ...config,
  store: storeAt(address),
  ids: ulidSource(),
  onEvent: ({ id }) => tell({ delivered: id }),
});

function tell(message: FromPlane): void {
  process.send?.(message);
}

async function run(command: Command): Promise<Answer | { done: number }> {
  if (command.do === "tick") return controlPlane.tick();
  return send(command.method, command.target, command.sending);
}

/** Waits for a moment of the system's clock, the last of it awake: two processes that wait for the same one start together. */
async function moment(at: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, at - Date.now() - 5));
  while (Date.now() < at);
}

process.on("message", async ({ call, now, at, commands }: ToPlane) => {
  clock.set(now);
  await moment(at);
  const outcomes = await Promise.allSettled(commands.map(run));
  const results = outcomes.map((one) => (one.status === "fulfilled" ? one.value : undefined));
  const failures = outcomes.flatMap((one) =>
    one.status === "rejected" ? String(one.reason?.stack ?? one.reason) : [],
  );
  tell({ call, results, failures });
});
process.on("disconnect", () => controlPlane.close().finally(() => process.exit()));

await controlPlane.ready();
tell({ ready: true });
