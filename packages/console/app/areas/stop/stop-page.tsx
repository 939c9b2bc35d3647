import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../api/me.js";
import { isOvertaken } from "../../api/problem.js";
import { t } from "../../texts/index.js";
import { ConfirmDialog } from "../../ui/confirm-dialog.js";
import { Field } from "../../ui/field.js";
import { Page } from "../../ui/page.js";
import { Tabs } from "../../ui/tabs.js";
import { Confirmations } from "./confirmations.js";
import { Groups } from "./groups.js";
import { Halts } from "./halts.js";
import { RunningSessions } from "./running-sessions.js";
import { STOP_TABS, useStopSearch } from "./search.js";
import { Spend } from "./spend.js";
import { type StopTarget, send } from "./stop-target.js";

/** Everything that runs, and how it is stopped: two touches from here. */
export function StopPage() {
  const { tab = "team" } = useStopSearch();
  const may = useMay();
  const queryClient = useQueryClient();
  const [target, setTarget] = useState<StopTarget>();
  const [reason, setReason] = useState("");
  const refresh = () => queryClient.invalidateQueries();
  const stop = useMutation({
    mutationFn: (chosen: StopTarget) => send(chosen, reason),
    onSuccess: () => {
      setTarget(undefined);
      return refresh();
    },
    onError: (error) => (isOvertaken(error) ? refresh() : undefined),
  });
  const ask = (chosen: StopTarget) => {
    stop.reset();
    setReason("");
    setTarget(chosen);
  };
  const canHalt = may("ai-halt:start");
  const canStop = canHalt || may("ai-session:terminate") || may("ai-session:suspend");
  const isLift = target?.act === "lift";
  return (
    <Page
      title={t.stop.title}
      actions={
        canHalt && (
          <button
            type="button"
            className="danger"
            onClick={() => ask({ act: "halt", name: t.stop.all, scope: "all_agents" })}
          >
            {t.stop.haltAll}
          </button>
        )
      }
    >
      {!canStop && <p className="muted">{t.stop.noRight}</p>}
      <Tabs
        label={t.stop.views}
        tabs={STOP_TABS.map((value) => ({ value, label: t.stop.tabs[value] }))}
        selected={tab}
      />
      {tab === "sessions" ? <RunningSessions onStop={ask} /> : <Groups by={tab} onStop={ask} />}
      <Halts onLift={ask} />
      <Confirmations />
      <Spend />
      <ConfirmDialog
        isOpen={target !== undefined}
        title={target ? t.stop.confirms[target.act](target.name) : ""}
        confirm={target ? t.stop[target.act] : ""}
        tone={isLift ? "primary" : "danger"}
        isBusy={stop.isPending}
        error={stop.error}
        onConfirm={() => target && stop.mutate(target)}
        onClose={() => setTarget(undefined)}
      >
        {target && <p>{t.stop.does[target.act]}</p>}
        <Field label={t.stop.reason} {...(isLift ? {} : { hint: t.stop.reasonLater })}>
          {(ids) => (
            <textarea
              {...ids}
              value={reason}
              required={isLift}
              maxLength={2000}
              onChange={({ target: field }) => setReason(field.value)}
            />
          )}
        </Field>
      </ConfirmDialog>
    </Page>
  );
}
