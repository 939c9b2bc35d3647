import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Field } from "../../../ui/field.js";
import { Page } from "../../../ui/page.js";
import { Progress } from "../../../ui/progress.js";
import { Empty, Failed } from "../../../ui/states.js";
import { Refusals } from "./refusals.js";
import { type ImportState, useImport } from "./use-import.js";

const words = t.importFile;

/** Imports a file that is chosen here: it is tried first, and stored in parts while the page is open. */
export function ImportFilePage() {
  const may = useMay();
  const { state, choose, check, store, goOn, stop } = useImport();
  const [baseline, setBaseline] = useState(false);
  const isRunning = state?.isRunning ?? false;
  const isStoring = isRunning && state?.step === "store";
  const leaving = useBlocker({
    shouldBlockFn: () => isStoring,
    enableBeforeUnload: isStoring,
    withResolver: true,
  });
  if (!may("ai-asset:write"))
    return (
      <Page title={words.title}>
        <Empty {...words.mayNot} />
      </Page>
    );
  return (
    <Page title={words.title}>
      <div className="settings">
        <p>{words.hint}</p>
        <Field label={words.file} hint={words.formats} fault={state?.fault && words.faults[state.fault]}>
          {(ids) => (
            <input
              {...ids}
              type="file"
              accept=".csv,.tsv,.jsonl,.ndjson,.txt"
              disabled={isRunning}
              onChange={({ target }) => void choose(target.files?.[0])}
            />
          )}
        </Field>
        <label className="choice">
          <input
            type="checkbox"
            checked={baseline}
            disabled={isRunning}
            onChange={({ target }) => setBaseline(target.checked)}
          />
          {words.baseline}
        </label>
        {state && !state.fault && (
          <>
            <Progress label={words.progress[state.step]} done={state.done} total={state.total} />
            <div className="decisions">
              {isRunning ? (
                <button type="button" onClick={stop}>
                  {words.stop}
                </button>
              ) : (
                <Steps
                  state={state}
                  onCheck={() => void check(baseline)}
                  onStore={() => void store(baseline)}
                  onGoOn={() => void goOn(baseline)}
                />
              )}
            </div>
            {state.error !== undefined && <Failed error={state.error} />}
            {!isRunning && state.sent > 0 && <p role="status">{wordsFor(state)}</p>}
          </>
        )}
      </div>
      {state && !state.fault && (
        <>
          <DefinitionList items={countsOf(state)} />
          <Refusals refusals={state.refusals} unread={state.unread} />
        </>
      )}
      <ConfirmDialog
        isOpen={leaving.status === "blocked"}
        title={words.leaves}
        confirm={words.leave}
        onConfirm={() => {
          stop();
          leaving.proceed?.();
        }}
        onClose={() => leaving.reset?.()}
      >
        <p>{words.left(state?.done ?? 0, state?.total ?? 0)}</p>
      </ConfirmDialog>
    </Page>
  );
}

interface StepsProps {
  readonly state: ImportState;
  readonly onCheck: () => void;
  readonly onStore: () => void;
  readonly onGoOn: () => void;
}

/** What comes next: trying the file, storing it, or going on where it broke off. */
function Steps({ state, onCheck, onStore, onGoOn }: StepsProps) {
  const { sent, parts, step, total } = state;
  const isWhole = sent === parts.length;
  if (total === 0) return null;
  if (sent > 0 && !isWhole)
    return (
      <button type="button" className="primary" onClick={onGoOn}>
        {words.goOn}
      </button>
    );
  return (
    <>
      <button type="button" className={isWhole ? undefined : "primary"} onClick={onCheck}>
        {words.check}
      </button>
      {isWhole && (
        <button type="button" className="primary" onClick={onStore}>
          {step === "store" ? words.again : words.store}
        </button>
      )}
    </>
  );
}

function wordsFor({ step, sent, parts, done, total }: ImportState): string {
  if (sent < parts.length) return words.left(step === "store" ? done : 0, total);
  return step === "store" ? words.stored : words.checked;
}

const countsOf = ({ counts, unread }: ImportState) =>
  [
    [words.counts.created, t.number(counts.created)],
    [words.counts.updated, t.number(counts.updated)],
    [words.counts.unchanged, t.number(counts.unchanged)],
    [words.counts.failed, t.number(counts.failed + unread.length)],
  ] as const;
