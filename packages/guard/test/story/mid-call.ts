import { openGuard, RunEndedError } from "@reeve/guard";
import { type Driver, Tools } from "./driver.js";
import type { Known, Way, World } from "./world.js";

/** What came of a session that was terminated while a tool ran. */
export interface CutOff {
  readonly ended: string;
  readonly modelCalls: number;
  /** How often the tool heard of it. */
  readonly stopped: number;
  /** What the session says of its enforcement. */
  readonly enforcement: string;
  readonly toolCalls: number;
}

export const CUT_OFF: CutOff = {
  ...{ ended: "terminat…: It was told to stop by its owner.", modelCalls: 1, stopped: 1 },
  ...{ enforcement: "confirmed", toolCalls: 1 },
};

/** Terminates the session while the tool `wait` runs, which would take an hour. */
export async function cutOffInMidCall(world: World, driver: Driver, way: Way, known: Known): Promise<CutOff> {
  const session = await world.startSession("Teller");
  const guard = await openGuard({ reeve: world.backend(way, known), agent: "Teller", timeoutMs: 60_000, session });
  const tools = new Tools();
  let terminated: Promise<void> | undefined;
  tools.onWait = () => {
    terminated = world.terminate(session);
  };
  const { modelCalls, ended } = await driver.play(guard, [{ tool: "wait", args: { seconds: 3_600 } }], tools);
  await terminated;
  await guard.close();
  if (!RunEndedError.is(ended)) throw ended ?? new Error("The run went on.");
  const { enforcement, usage } = await world.call("aiSessions.read", world.ada, { params: { id: session } });
  return {
    ended: `${ended.status.replace(/^terminat.*/, "terminat…")}: ${ended.reason}`,
    ...{ modelCalls, stopped: tools.stopped, enforcement: enforcement.state, toolCalls: usage.toolCalls },
  };
}
