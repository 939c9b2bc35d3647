import { t } from "../../texts/index.js";
import { Select } from "../../ui/select.js";

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** One of several, or none yet. */
export function Choice({ label, options, value = "", onChange }: ChoiceProps) {
  return (
    <Select
      label={label}
      options={[{ value: "", label: t.access.ask.choose }, ...options]}
      value={value}
      onChange={(chosen) => onChange(chosen || undefined)}
    />
  );
}
