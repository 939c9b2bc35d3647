import { lazy, Suspense, useSyncExternalStore } from "react";
import { askedProof, onAskedProof } from "../api/step-up.js";

const StepUpDialog = lazy(async () => ({ default: (await import("./step-up-dialog.js")).StepUpDialog }));

/** Asks for a fresh proof where an act was refused for lack of one, on whatever page. */
export function StepUp() {
  const asked = useSyncExternalStore(onAskedProof, askedProof);
  if (!asked) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog key={asked.turn} detail={asked.detail} />
    </Suspense>
  );
}
