import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { Loaded } from "../../../ui/loaded.js";
import { Text } from "../../../ui/text.js";
import { TextField } from "../../../ui/text-field.js";
import { beginWork } from "../../../work/works.js";
import type { Review } from "../kinds.js";
import { bulkDecision } from "../works.js";
import { type Checked, checkBulk } from "./check-bulk.js";
import { type Decision, requestOf } from "./decisions.js";

interface BulkDialogProps {
  readonly reviews: readonly Review[];
  readonly onClose: () => void;
}

/** Approves several reviews one after another: those that nothing speaks against, each bound to what was read here. */
export function BulkDialog({ reviews, onClose }: BulkDialogProps) {
  const me = useMe();
  const [reason, setReason] = useState("");
  const checked = useQuery({
    // No event makes it stale: what was read here is what is approved.
    queryKey: ["bulk", reviews.map(({ id }) => id)],
    queryFn: () => checkBulk(reviews, me.id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const free = checked.data?.filter(({ matter }) => matter !== undefined) ?? [];
  const approve = useMutation({
    mutationFn: async () => {
      const decisions = await decisionsOf(free, reason);
      await beginWork(bulkDecision, { key: crypto.randomUUID(), input: me.id, state: { decisions } });
    },
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      title={t.inbox.bulk.title(free.length)}
      confirm={t.inbox.bulk.confirm}
      isBusy={approve.isPending || free.length === 0}
      error={approve.error}
      onConfirm={() => approve.mutate()}
      onClose={onClose}
    >
      <Loaded query={checked}>
        {(all) => (
          <>
            <List title={t.inbox.bulk.free} items={free} />
            <List title={t.inbox.bulk.against} items={all.filter(({ against }) => against !== undefined)} />
          </>
        )}
      </Loaded>
      <TextField
        label={t.inbox.said.reason}
        hint={t.inbox.saidHints.reason}
        rows={2}
        maxLength={2_000}
        value={reason}
        onChange={setReason}
      />
      <p className="muted">
        {t.work.elsewhere} {bulkDecision.onClosing}
      </p>
    </ConfirmDialog>
  );
}

/** The decisions as they are sent, each with a key of its own. */
async function decisionsOf(free: readonly Checked[], reason: string): Promise<readonly Decision[]> {
  const decisions: Decision[] = [];
  for (const { review, matter, readAt = null } of free) {
    const asked = matter && (await requestOf(matter, reason));
    const { id, name, subject } = review;
    const one = { review: { id, name, subjectId: subject.id }, key: crypto.randomUUID(), readAt, words: null };
    if (asked) decisions.push({ ...one, asked, state: "waiting" });
  }
  return decisions;
}

function List({ title, items }: { readonly title: string; readonly items: readonly Checked[] }) {
  if (items.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {items.map(({ review, against }) => (
          <li key={review.id}>
            <Text>{review.name}</Text>
            {against !== undefined && (
              <>
                {": "}
                <Text>{against}</Text>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
