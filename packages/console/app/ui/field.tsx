import { type ReactElement, type ReactNode, useId } from "react";

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with what was entered. */
  readonly fault?: string | undefined;
  /** The control; it gets what ties it to its label. */
  readonly children: (ids: FieldIds) => ReactElement;
  readonly after?: ReactNode;
}

export interface FieldIds {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
}

/** A field of a form with its label, a hint and its fault. */
export function Field({ label, hint, fault, children, after }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": describedBy || undefined, "aria-invalid": fault !== undefined })}
      {hint && (
        <p id={`${id}-hint`} className="muted small">
          {hint}
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`} className="fault">
          {fault}
        </p>
      )}
      {after}
    </div>
  );
}
