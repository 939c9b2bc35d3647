import type { InputHTMLAttributes } from "react";
import { Field } from "./field.js";

type Kept = "required" | "maxLength" | "minLength" | "min" | "max" | "autoComplete" | "placeholder" | "inputMode";

interface TextFieldProps extends Pick<InputHTMLAttributes<HTMLInputElement>, Kept | "type"> {
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with what was entered. */
  readonly fault?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Lines of a text that may have several. */
  readonly rows?: number;
}

/** A field for a text, a date or a number, with its label. */
export function TextField({ label, hint, fault, value, onChange, rows, type, ...control }: TextFieldProps) {
  const said = { ...(hint === undefined ? {} : { hint }), fault };
  return (
    <Field label={label} {...said}>
      {(ids) =>
        rows === undefined ? (
          <input {...ids} {...control} type={type} value={value} onChange={({ target }) => onChange(target.value)} />
        ) : (
          <textarea
            {...ids}
            required={control.required}
            maxLength={control.maxLength}
            minLength={control.minLength}
            rows={rows}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  );
}
