import { useState } from "react";
import { client } from "../../../api/client.js";
import { useMay, useMe } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import type { Summary, Watch } from "./terms.js";

const { watches: words } = t.installations;
const STALE = ["enforcement_watch"];

interface WatchActsProps {
  readonly watch: Watch;
  /** Absent until it is read: before that nothing is enforced. */
  readonly summary: Summary | undefined;
}

/** A second person approves or refuses; whoever has seen what would be denied turns to enforcing. */
export function WatchActs({ watch, summary }: WatchActsProps) {
  const { id, status, requestedBy } = watch;
  const may = useMay();
  const isOwn = requestedBy === useMe().id;
  const waits = status === "requested" && may("enforcement-watch:approve");
  const params = { path: { id } };
  return (
    <>
      {waits && isOwn && <span className="muted">{words.own}</span>}
      <ReasonedAct
        isShown={waits && !isOwn}
        isMain
        label={words.acts.approve}
        hint={words.does.approve}
        stale={STALE}
        act={(body) => client.POST("/api/v1/ai/watches/{id}/approve", { params, body })}
      />
      <ReasonedAct
        isShown={waits}
        isReasonRequired
        label={words.acts.reject}
        hint={words.does.reject}
        stale={STALE}
        act={(body) => client.POST("/api/v1/ai/watches/{id}/reject", { params, body })}
      />
      {summary && (
        <Enforce isShown={status === "watching" && may("enforcement-watch:enforce")} id={id} summary={summary} />
      )}
    </>
  );
}

interface EnforceProps {
  readonly id: string;
  readonly isShown: boolean;
  readonly summary: Summary;
}

/** Sends the digest that was on the screen when its dialog was opened, whatever was read again since. */
function Enforce({ id, isShown, summary }: EnforceProps) {
  const [{ digest, kinds, denied, waiting }, see] = useState(summary);
  return (
    <ReasonedAct
      isShown={isShown}
      isMain
      label={words.acts.enforce}
      hint={words.does.enforce(kinds, denied, waiting)}
      stale={STALE}
      onOpen={() => see(summary)}
      act={(body) =>
        client.POST("/api/v1/ai/watches/{id}/enforce", { params: { path: { id } }, body: { ...body, digest } })
      }
    />
  );
}
