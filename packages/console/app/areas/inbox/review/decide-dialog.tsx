import { type ChangeEvent, useState } from "react";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { Field } from "../../../ui/field.js";
import type { Needed, OpenedWay, Said } from "../matters/matter.js";

interface DecideDialogProps {
  readonly title: string;
  readonly confirm: string;
  readonly tone: "primary" | "danger";
  readonly way: OpenedWay;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onDecide: (said: Said) => void;
  readonly onClose: () => void;
}

const ORDER: readonly Needed[] = ["conditions", "evidence", "until", "reason"];

/** Asks for what a decision takes, and for a last word. */
export function DecideDialog({ way: { needs, takes }, onDecide, ...dialog }: DecideDialogProps) {
  const [given, setGiven] = useState<Partial<Record<Needed, string>>>({});
  const asked = ORDER.filter((name) => needs.includes(name) || takes.includes(name));
  const decide = () => {
    const { conditions, ...texts } = given;
    const lines = conditions?.split("\n").filter((line) => line.trim() !== "");
    onDecide({ ...texts, ...(lines ? { conditions: lines } : {}) });
  };
  return (
    <ConfirmDialog isOpen {...dialog} onConfirm={decide}>
      {asked.map((name) => (
        <Field key={name} label={t.inbox.said[name]} hint={t.inbox.saidHints[name]}>
          {(ids) => {
            const control = {
              ...ids,
              required: needs.includes(name),
              value: given[name] ?? "",
              onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
                setGiven((before) => ({ ...before, [name]: target.value })),
            };
            if (name === "until") return <input {...control} type="date" />;
            if (name === "evidence") return <input {...control} type="text" maxLength={2_000} />;
            return <textarea {...control} rows={3} maxLength={2_000} />;
          }}
        </Field>
      ))}
    </ConfirmDialog>
  );
}
