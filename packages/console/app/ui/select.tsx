import { Field } from "./field.js";

interface SelectProps {
  readonly label: string;
  readonly fault?: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One of several, always chosen. */
export function Select({ label, fault, options, value, onChange }: SelectProps) {
  return (
    <Field label={label} fault={fault}>
      {(ids) => (
        <select {...ids} value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
