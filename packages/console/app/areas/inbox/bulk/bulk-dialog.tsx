import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "../../../api/me.js";
import { isOvertaken, wordsOf } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { Loaded } from "../../../ui/loaded.js";
import { Progress } from "../../../ui/progress.js";
import { Text } from "../../../ui/text.js";
import { TextField } from "../../../ui/text-field.js";
import type { Review } from "../kinds.js";
import { useReadAgain } from "../review/use-review.js";
import { type Checked, checkBulk } from "./check-bulk.js";

interface BulkDialogProps {
  readonly reviews: readonly Review[];
  readonly onClose: () => void;
}

/** Approves several reviews one after another: those that nothing speaks against, each bound to what was read here. */
export function BulkDialog({ reviews, onClose }: BulkDialogProps) {
  const me = useMe();
  const readAgain = useReadAgain();
  const [reason, setReason] = useState("");
  const [done, setDone] = useState(0);
  const [failures, setFailures] = useState<readonly Checked[]>([]);
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
      const failed: Checked[] = [];
      for (const { review, matter } of free) {
        try {
          await matter?.ways.approve?.act({ reason });
        } catch (error) {
          failed.push({ review, against: isOvertaken(error) ? t.problem.overtaken : wordsOf(error).title });
        }
        setDone((before) => before + 1);
      }
      setFailures(failed);
      return failed;
    },
    onSuccess: async (failed) => {
      await readAgain();
      if (failed.length === 0) onClose();
    },
  });
  const isOver = approve.isSuccess;
  return (
    <ConfirmDialog
      isOpen
      title={t.inbox.bulk.title(free.length)}
      confirm={isOver ? t.dialog.close : t.inbox.bulk.confirm}
      isBusy={approve.isPending || (free.length === 0 && !isOver)}
      onConfirm={() => (isOver ? onClose() : approve.mutate())}
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
      <List title={t.inbox.bulk.failed} items={failures} />
      {!isOver && (
        <TextField
          label={t.inbox.said.reason}
          hint={t.inbox.saidHints.reason}
          rows={2}
          maxLength={2_000}
          value={reason}
          onChange={setReason}
        />
      )}
      {approve.isPending && <Progress label={t.inbox.bulk.progress} done={done} total={free.length} />}
    </ConfirmDialog>
  );
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
