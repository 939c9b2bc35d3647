import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { isOvertaken } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { TextField } from "../../../ui/text-field.js";
import type { Item } from "../terms.js";
import type { Decision } from "./decisions.js";

interface DecideItemProps {
  readonly certificationId: string;
  readonly deciding: { readonly item: Item; readonly decision: Decision } | undefined;
  readonly onDecided: (item: Item) => void;
  readonly onClose: () => void;
}

/**
 * Decides one item as it was shown: access that has changed since is not decided about. What was said of the last one is there
 * again, so that many are decided for one reason without typing it twice.
 */
export function DecideItem({ certificationId, deciding, onDecided, onClose }: DecideItemProps) {
  const cache = useQueryClient();
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const refetch = () => cache.invalidateQueries({ queryKey: ["access_certification"] });
  const review = useMutation({
    mutationFn: ({ item, decision }: NonNullable<DecideItemProps["deciding"]>) =>
      client.POST("/api/v1/access-certifications/{id}/items/{itemId}/review", {
        params: { path: { id: certificationId, itemId: item.id } },
        body: {
          decision,
          expectedSnapshotVersion: item.snapshotVersion,
          ...(reason === "" ? {} : { reason }),
          ...(decision === "modify" ? { expiresAt: new Date(`${until}T00:00:00Z`).toISOString() } : {}),
        },
      }),
    onSuccess: async (_answer, { item }) => {
      onDecided(item);
      close();
      await refetch();
    },
    onError: (error) => (isOvertaken(error) ? refetch() : undefined),
  });
  const close = () => {
    review.reset();
    onClose();
  };
  const { item, decision } = deciding ?? {};
  return (
    <ConfirmDialog
      isOpen={deciding !== undefined}
      title={item && decision ? t.access.decideOn(t.access.decisions[decision], item.name) : ""}
      confirm={decision ? t.access.decisions[decision] : ""}
      tone={decision === "revoke" ? "danger" : "primary"}
      isBusy={review.isPending}
      error={review.error}
      onConfirm={() => deciding && review.mutate(deciding)}
      onClose={close}
    >
      {decision === "revoke" && <p>{t.access.revokes}</p>}
      {decision === "modify" && (
        <TextField label={t.access.until} type="date" required value={until} onChange={setUntil} />
      )}
      <TextField label={t.access.reason} type="text" maxLength={2_000} value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}
