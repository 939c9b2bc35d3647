import { type ReactNode, useState } from "react";
import { ReasonedAct } from "./reasoned-act.js";

interface AddActProps<S> {
  readonly label: string;
  readonly hint: string;
  /** Types of records that are read again afterwards. */
  readonly stale: readonly string[];
  /** What its fields say before anybody has said anything. */
  readonly fresh: S;
  readonly add: (said: S) => Promise<unknown>;
  /** The fields. */
  readonly children: (said: S, onChange: (said: S) => void) => ReactNode;
}

/** A button that adds a record. What was entered is forgotten when the dialog closes, since it may be a secret. */
export function AddAct<S>({ label, hint, stale, fresh, add, children }: AddActProps<S>) {
  const [said, setSaid] = useState(fresh);
  return (
    <ReasonedAct
      isPlain
      isMain
      label={label}
      hint={hint}
      stale={stale}
      onClose={() => setSaid(fresh)}
      act={() => add(said)}
    >
      {children(said, setSaid)}
    </ReasonedAct>
  );
}
