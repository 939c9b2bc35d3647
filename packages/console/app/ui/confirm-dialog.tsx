import { type ReactNode, useEffect, useId, useRef } from "react";
import { t } from "../texts/index.js";
import { Failed } from "./states.js";
import { Text } from "./text.js";

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  /** The words on the button that acts, as `Approve`. */
  readonly confirm: string;
  readonly tone?: "primary" | "danger";
  readonly isBusy?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What it does, and fields. */
  readonly children?: ReactNode;
}

/** Asks before something is done. The focus is held within it, and returns where it was. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, confirm, tone = "primary", isBusy = false, error, onConfirm, onClose, children } = props;
  const at = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen && !at.current?.open) at.current?.showModal();
    if (!isOpen) at.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={at} className="dialog" aria-labelledby={id} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onConfirm();
        }}
      >
        <h2 id={id}>
          <Text>{title}</Text>
        </h2>
        {children}
        {Boolean(error) && <Failed error={error} />}
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t.dialog.cancel}
          </button>
          <button type="submit" className={tone} aria-disabled={isBusy}>
            {confirm}
          </button>
        </div>
      </form>
    </dialog>
  );
}
