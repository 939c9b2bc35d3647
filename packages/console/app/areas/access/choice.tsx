import { t } from "../../texts/index.js";
import { Field } from "../../ui/field.js";

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** One of several, or none yet. */
export function Choice({ label, options, value = "", onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <select {...ids} value={value} onChange={({ target }) => onChange(target.value || undefined)}>
          <option value="">{t.access.ask.choose}</option>
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
