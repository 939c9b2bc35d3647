import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { isOvertaken } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { Field } from "../../../ui/field.js";
import type { Item } from "../terms.js";

/** What one can say about an item alone. */
const DECISIONS = ["certify", "revoke", "modify", "abstain"] as const;
type Decision = (typeof DECISIONS)[number];

/** Decides one item as it was shown: access that has changed since is not decided about. */
export function ItemDecision({ certificationId, item }: { readonly certificationId: string; readonly item: Item }) {
  const cache = useQueryClient();
  const [decision, setDecision] = useState<Decision>();
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const refetch = () => cache.invalidateQueries({ queryKey: ["access_certification"] });
  const review = useMutation({
    mutationFn: (chosen: Decision) =>
      client.POST("/api/v1/access-certifications/{id}/items/{itemId}/review", {
        params: { path: { id: certificationId, itemId: item.id } },
        body: {
          decision: chosen,
          expectedSnapshotVersion: item.snapshotVersion,
          ...(reason === "" ? {} : { reason }),
          ...(chosen === "modify" ? { expiresAt: new Date(`${until}T00:00:00Z`).toISOString() } : {}),
        },
      }),
    onSuccess: async () => {
      close();
      await refetch();
    },
    onError: (error) => (isOvertaken(error) ? refetch() : undefined),
  });
  const close = () => {
    setDecision(undefined);
    setReason("");
    review.reset();
  };
  return (
    <div className="decisions">
      {DECISIONS.map((one) => (
        <button
          key={one}
          type="button"
          aria-label={t.access.decideOn(t.access.decisions[one], item.name)}
          onClick={() => setDecision(one)}
        >
          {t.access.decisions[one]}
        </button>
      ))}
      <ConfirmDialog
        isOpen={decision !== undefined}
        title={decision ? t.access.decideOn(t.access.decisions[decision], item.name) : ""}
        confirm={decision ? t.access.decisions[decision] : ""}
        tone={decision === "revoke" ? "danger" : "primary"}
        isBusy={review.isPending}
        error={review.error}
        onConfirm={() => decision && review.mutate(decision)}
        onClose={close}
      >
        {decision === "revoke" && <p>{t.access.revokes}</p>}
        {decision === "modify" && (
          <Field label={t.access.until}>
            {(ids) => (
              <input {...ids} type="date" required value={until} onChange={({ target }) => setUntil(target.value)} />
            )}
          </Field>
        )}
        <Field label={t.access.reason}>
          {(ids) => (
            <textarea
              {...ids}
              rows={2}
              maxLength={2_000}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
      </ConfirmDialog>
    </div>
  );
}
