import { useSyncExternalStore } from "react";
import type { Work, WorkKind } from "./work.js";
import { currentWorks, onWorks, type Works } from "./works.js";

export const useWorks = (): Works => useSyncExternalStore(onWorks, currentWorks);

/** The work of this kind about this, if there is some. */
export function useWork<Input, State>(kind: WorkKind<Input, State>, key: string): Work<Input, State> | undefined {
  const { all } = useWorks();
  return all.findLast((work) => work.kind === kind.name && work.key === key) as Work<Input, State> | undefined;
}

/** The work of this kind by its id, if it is still there. */
export function useWorkById<Input, State>(kind: WorkKind<Input, State>, id: string): Work<Input, State> | undefined {
  const { all } = useWorks();
  return all.find((work) => work.kind === kind.name && work.id === id) as Work<Input, State> | undefined;
}
