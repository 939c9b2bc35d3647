import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isOvertaken } from "../api/problem.js";
import { t } from "../texts/index.js";
import { ConfirmDialog } from "./confirm-dialog.js";
import { Text } from "./text.js";
import { TextField } from "./text-field.js";

interface ReasonedActProps {
  /** The words on the button, and on the one that confirms it. */
  readonly label: string;
  /** The button's name for those who do not see beside what it stands. */
  readonly name?: string;
  readonly title?: string;
  readonly hint?: string;
  readonly tone?: "primary" | "danger";
  /**
   * Whether there is a button for it now; `true` if absent. A dialog that is open stays when somebody else's act takes its
   * button away, since it says so.
   */
  readonly isShown?: boolean;
  /** Whether it is the act that one comes for. */
  readonly isMain?: boolean;
  /** Whether it takes no reason. */
  readonly isPlain?: boolean;
  /** Whether it is refused without a reason. */
  readonly isReasonRequired?: boolean;
  /** Whether it stops something, of which one may say later why. */
  readonly isStop?: boolean;
  /** Does it. The reason is absent where none was given. */
  readonly act: (why: { readonly reason?: string }) => Promise<unknown>;
  /** Types of records that are read again afterwards. */
  readonly stale: readonly string[];
  /** Fields beside the reason. */
  readonly children?: ReactNode;
  readonly onOpen?: () => void;
  /** Once it is closed, whether it was done or not, as to forget a secret that was entered. */
  readonly onClose?: () => void;
}

/** A button that asks for a reason, and then acts. It is rendered whether it is shown or not. */
export function ReasonedAct(props: ReasonedActProps) {
  const { label, name, title = label, hint, tone = "primary", act, stale } = props;
  const { isShown = true, isMain = false, isReasonRequired = false } = props;
  const cache = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const refetch = () => Promise.all(stale.map((type) => cache.invalidateQueries({ queryKey: [type] })));
  const send = useMutation({
    mutationFn: () => act(reason === "" ? {} : { reason }),
    onSuccess: async () => {
      close();
      await refetch();
    },
    onError: (error) => (isOvertaken(error) ? refetch() : undefined),
  });
  const close = () => {
    setOpen(false);
    setReason("");
    send.reset();
    props.onClose?.();
  };
  return (
    <>
      {isShown && (
        <button
          type="button"
          className={tone === "danger" ? "danger" : isMain ? "primary" : ""}
          aria-label={name}
          onClick={() => {
            props.onOpen?.();
            setOpen(true);
          }}
        >
          {label}
        </button>
      )}
      <ConfirmDialog
        isOpen={isOpen}
        title={title}
        confirm={label}
        tone={tone}
        isBusy={send.isPending}
        error={send.error}
        onConfirm={() => send.mutate()}
        onClose={close}
      >
        {hint && (
          <p>
            <Text>{hint}</Text>
          </p>
        )}
        {props.children}
        {!props.isPlain && (
          <TextField
            label={t.reason.label}
            {...hintOf(props)}
            rows={2}
            value={reason}
            required={isReasonRequired}
            minLength={isReasonRequired ? 10 : undefined}
            maxLength={2000}
            onChange={setReason}
          />
        )}
      </ConfirmDialog>
    </>
  );
}

function hintOf({ isReasonRequired, isStop }: ReasonedActProps): { readonly hint?: string } {
  if (isReasonRequired) return { hint: t.reason.required };
  return isStop ? { hint: t.reason.later } : {};
}
