import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { Field } from "../../../ui/field.js";
import { changesOf, type Import } from "./terms.js";

const words = t.connections.imports;
type Act = "confirm" | "cancel";
type Selection = keyof typeof words.selections;

interface ImportActsProps {
  readonly path: { readonly id: string; readonly importId: string };
  readonly job: Import;
}

/** Confirms the plan that is on the screen, or stops the import before anything has changed. */
export function ImportActs({ path, job }: ImportActsProps) {
  const may = useMay();
  const cache = useQueryClient();
  const [act, setAct] = useState<Act>();
  const [reason, setReason] = useState("");
  const [selection, setSelection] = useState<Selection>("create_only");
  const done = useMutation({
    mutationFn: async (chosen: Act) => {
      const params = { path };
      if (chosen === "cancel")
        await client.POST("/api/v1/integrations/{id}/imports/{importId}/cancel", { params, body: { reason } });
      else
        await client.POST("/api/v1/integrations/{id}/imports/{importId}/confirm", {
          params,
          body: { planHash: job.planHash as string, selection },
        });
    },
    onSuccess: () => setAct(undefined),
    onSettled: () => cache.invalidateQueries({ queryKey: ["connector_import", path.importId] }),
  });
  const { status, counts } = job;
  const acts: readonly Act[] = [
    ...(status === "awaiting_confirmation" && may("connector-import:confirm") ? (["confirm"] as const) : []),
    ...(status === "awaiting_confirmation" && may("connector-import:write") ? (["cancel"] as const) : []),
  ];
  return (
    <>
      {acts.map((one) => (
        <button
          key={one}
          type="button"
          className={one === "confirm" ? "primary" : undefined}
          onClick={() => setAct(one)}
        >
          {words[one]}
        </button>
      ))}
      <ConfirmDialog
        isOpen={act !== undefined}
        title={act === "cancel" ? words.cancels : words.confirms}
        confirm={act === "cancel" ? words.cancel : words.confirm}
        isBusy={done.isPending}
        error={done.error}
        onConfirm={() => act && done.mutate(act)}
        onClose={() => {
          setAct(undefined);
          done.reset();
        }}
      >
        {act === "confirm" && (
          <>
            <Field label={words.which}>
              {(ids) => (
                <select {...ids} value={selection} onChange={({ target }) => setSelection(target.value as Selection)}>
                  {Object.entries(words.selections).map(([value, label]) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <p>{words.does(selection === "all" ? changesOf(job) : counts.create)}</p>
          </>
        )}
        {act === "cancel" && (
          <Field label={words.reason}>
            {(ids) => (
              <textarea
                {...ids}
                rows={2}
                maxLength={2_000}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
        )}
      </ConfirmDialog>
    </>
  );
}
