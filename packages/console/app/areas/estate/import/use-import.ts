import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type FileFault, type Line, partsOf, readLines, type Unread } from "./read-lines.js";
import { type Counts, NO_COUNTS, type Refusal, sendPart, sumOf } from "./send-part.js";

/** A file, and what came of its lines so far. */
export interface ImportState {
  readonly name: string;
  readonly fault: FileFault | undefined;
  readonly unread: readonly Unread[];
  readonly parts: readonly (readonly Line[])[];
  readonly total: number;
  /** Whether lines are only tried, or stored. */
  readonly step: "check" | "store";
  readonly isRunning: boolean;
  /** Parts that were answered in this step. */
  readonly sent: number;
  readonly done: number;
  readonly counts: Counts;
  readonly refusals: readonly Refusal[];
  readonly error: unknown;
}

const BEGIN = { sent: 0, done: 0, counts: NO_COUNTS, refusals: [], error: undefined } as const;

/** Takes a file, tries it part by part, and stores it in the same way. A step that broke off is gone on with. */
export function useImport() {
  const cache = useQueryClient();
  const [state, setState] = useState<ImportState>();
  const isStopped = useRef(false);

  async function run(from: ImportState, baseline: boolean): Promise<void> {
    isStopped.current = false;
    let at: ImportState = { ...from, isRunning: true, error: undefined };
    setState(at);
    try {
      for (const part of at.parts.slice(at.sent)) {
        if (isStopped.current) break;
        const { counts, refusals } = await sendPart(part, { dryRun: at.step === "check", baseline });
        at = {
          ...at,
          ...{ sent: at.sent + 1, done: at.done + part.length, counts: sumOf(at.counts, counts) },
          refusals: [...at.refusals, ...refusals],
        };
        setState(at);
      }
      setState({ ...at, isRunning: false });
    } catch (error) {
      setState({ ...at, isRunning: false, error });
    }
    if (at.step === "store") await cache.invalidateQueries({ queryKey: ["ai_asset"] });
  }

  return {
    state,
    async choose(file: File | undefined) {
      if (!file) return setState(undefined);
      const read = readLines(await file.arrayBuffer());
      const lines = read.fault ? [] : read.lines;
      setState({
        ...{ name: file.name, fault: read.fault, unread: read.fault ? [] : read.unread, parts: partsOf(lines) },
        ...{ total: lines.length, step: "check", isRunning: false, ...BEGIN },
      });
    },
    check: (baseline: boolean) => state && run({ ...state, ...BEGIN, step: "check" }, baseline),
    store: (baseline: boolean) => state && run({ ...state, ...BEGIN, step: "store" }, baseline),
    goOn: (baseline: boolean) => state && run(state, baseline),
    /** Ends after the part that is under way. */
    stop() {
      isStopped.current = true;
    },
  };
}
