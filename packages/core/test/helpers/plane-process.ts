import { type Answer, createPlane, ScriptedAccess, ScriptedConnector } from "@reeve/testkit";
import { ulidSource } from "#testing/index.js";
import type { SessionBlockedError, SessionGuard } from "../../src/index.js";
import { storeAt } from "./address.js";
import type { Command, FromPlane, PlaneSetting, ToPlane } from "./planes.js";
import { rotatingConnector } from "./rotating-connector.js";

/** A process with its own control plane on a shared store, which runs the commands that it is sent. */
const { address, config } = JSON.parse(process.argv[2] as string) as PlaneSetting;
const silent = () => undefined;
const { controlPlane, send, clock } = createPlane({
  ...config,
  store: storeAt(address),
  ids: ulidSource(),
  connectors: [new ScriptedConnector().connector, new ScriptedAccess().connector, rotatingConnector()],
  onEvent: ({ id }) => report({ delivered: id }),
  logger: { error: silent, info: silent, warn: (_fields, warned) => report({ warned }) },
});

/** Nobody listens any more once the test has let this process go. */
function report(message: FromPlane): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

const guards = new Map<string, SessionGuard>();

async function run(command: Command): Promise<Answer | { done: number } | string> {
  if (command.do === "tick") return controlPlane.tick();
  if (command.do === "guard") {
    guards.set(command.name, await controlPlane.sessionGuard(command.options));
    return "guarded";
  }
  if (command.do !== "send") {
    const guard = guards.get(command.name) as SessionGuard;
    return command.do === "check" ? checked(guard) : aborted(guard);
  }
  return send(command.method, command.target, command.sending);
}

function checked(guard: SessionGuard): Promise<string> {
  return guard.check().then(
    () => "went on",
    (error: SessionBlockedError) => `${error.status} ${error.reason}`,
  );
}

/** Waits until the guard's signal aborts. */
async function aborted({ signal }: SessionGuard): Promise<string> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  return (signal.reason as SessionBlockedError).status;
}

/**
 * Waits until a time of the system clock, busy at the end, so that processes that wait for the same time start
 * together.
 */
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
  report({ call, results, failures });
});
process.on("disconnect", () => controlPlane.close().finally(() => process.exit()));

await controlPlane.ready();
report({ ready: true });
