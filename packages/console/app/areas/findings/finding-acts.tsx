import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client.js";
import { useMay } from "../../api/me.js";
import { isOvertaken } from "../../api/problem.js";
import { t } from "../../texts/index.js";
import { ConfirmDialog } from "../../ui/confirm-dialog.js";
import { Field } from "../../ui/field.js";
import { TextField } from "../../ui/text-field.js";
import { ACTIONS, type Action, type Finding } from "./terms.js";

const REASONS = ["false_positive", "not_applicable", "duplicate"] as const;

/** What one may do about a finding in its state. Each is sent with the version on the screen. */
export function FindingActs({ finding }: { readonly finding: Finding }) {
  const may = useMay();
  const cache = useQueryClient();
  const [action, setAction] = useState<Action>();
  const [reason, setReason] = useState("");
  const [code, setCode] = useState<(typeof REASONS)[number]>("false_positive");
  const refetch = () => cache.invalidateQueries({ queryKey: ["finding"] });
  const act = useMutation({
    mutationFn: (chosen: Action) =>
      client.POST("/api/v1/ai-governance/findings/{id}/review-actions", {
        params: { path: { id: finding.id } },
        ifMatch: finding,
        body: {
          action: chosen,
          ...(reason === "" ? {} : { reason }),
          ...(chosen === "dismiss" ? { reasonCode: code } : {}),
        },
      }),
    onSuccess: async () => {
      close();
      await refetch();
    },
    onError: (error) => (isOvertaken(error) ? refetch() : undefined),
  });
  const close = () => {
    setAction(undefined);
    setReason("");
    act.reset();
  };
  const open = Object.entries(ACTIONS).filter(
    ([, { from, permission }]) => from.includes(finding.status) && may(permission),
  );
  return (
    <>
      {open.map(([name]) => (
        <button key={name} type="button" onClick={() => setAction(name as Action)}>
          {t.findings.actions[name as keyof typeof t.findings.actions]}
        </button>
      ))}
      <ConfirmDialog
        isOpen={action !== undefined}
        title={t.findings.ask}
        confirm={action ? t.findings.actions[action as keyof typeof t.findings.actions] : ""}
        isBusy={act.isPending}
        error={act.error}
        onConfirm={() => action && act.mutate(action)}
        onClose={close}
      >
        {action === "dismiss" && (
          <Field label={t.findings.reasonCode} hint={t.findings.twoPeople}>
            {(ids) => (
              <select {...ids} value={code} onChange={({ target }) => setCode(target.value as typeof code)}>
                {REASONS.map((value) => (
                  <option key={value} value={value}>
                    {t.findings.reasons[value]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <TextField label={t.findings.reason} rows={3} maxLength={2_000} value={reason} onChange={setReason} />
      </ConfirmDialog>
    </>
  );
}
