import type { Guard } from "@reeve/guard";
import { z } from "zod";

/** A call that the scripted model asks for. `broken` is written so that nobody can read it as arguments of the tool. */
export interface ScriptedCall {
  readonly tool: ToolName;
  readonly args: Readonly<Record<string, unknown>>;
  readonly broken?: boolean;
}

/** How a run went, as the scripted model and the host of the framework see it. */
export interface Played {
  /** The result of each call that the model was told, in its own next request. */
  readonly told: readonly string[];
  readonly modelCalls: number;
  /** What ended the run, where something did. */
  readonly ended: unknown;
}

/** Runs an agent of a framework, whose model asks for one call after the other and then says that it is done. */
export interface Driver {
  readonly name: string;
  play(guard: Guard, calls: readonly ScriptedCall[], tools: Tools): Promise<Played>;
}

export const SCHEMAS = {
  search: z.object({ query: z.string() }),
  refund: z.object({ amount: z.number(), to: z.string() }),
  wire: z.object({ amount: z.number() }),
  read: z.object({ path: z.string() }),
  export: z.object({ path: z.string() }),
  shred: z.object({ path: z.string() }),
  orphan: z.object({ path: z.string() }),
  wait: z.object({ seconds: z.number() }),
};
export type ToolName = keyof typeof SCHEMAS;
export const TOOL_NAMES = Object.keys(SCHEMAS) as ToolName[];

/** The tools of the agent. What they have done is written down. */
export class Tools {
  readonly ran: string[] = [];
  /** Called when the tool `wait` runs. */
  onWait: (() => void) | undefined;
  /** Called once, while the model is asked for the first time. */
  onModel: (() => Promise<void>) | undefined;
  /** How often the tool `wait` heard that it is to stop. */
  stopped = 0;

  /** The model is asked. */
  async asked(): Promise<void> {
    const { onModel } = this;
    this.onModel = undefined;
    await onModel?.();
  }

  run(tool: ToolName, args: object, signal: AbortSignal | undefined): string | Promise<string> {
    this.ran.push(`${tool} ${JSON.stringify(args)}`);
    if (tool !== "wait") return `${tool} is done`;
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => {
        this.stopped += 1;
        reject(signal.reason as Error);
      });
      this.onWait?.();
    });
  }
}

/** The arguments as a model writes them. */
export const textOf = ({ args, broken }: ScriptedCall): string => (broken ? '{"amount": ' : JSON.stringify(args));

/** The arguments where a protocol carries only objects: those that are broken have another type. */
export const objectOf = ({ args, broken }: ScriptedCall): Record<string, unknown> =>
  broken ? { amount: "much" } : { ...args };
