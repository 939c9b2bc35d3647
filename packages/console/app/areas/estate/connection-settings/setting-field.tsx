import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import type { Setting } from "./settings-of.js";

const words = t.connections.settings;

interface SettingFieldProps {
  readonly setting: Setting;
  readonly value: string;
  readonly fault: string | undefined;
  /** Whether a secret is there already. */
  readonly isSet: boolean;
  readonly onChange: (value: string) => void;
}

/** One property of a connector's configuration. A secret is written and never shown. */
export function SettingField({ setting, value, fault, isSet, onChange }: SettingFieldProps) {
  const { label, kind, isRequired, choices, usual } = setting;
  const hint = hintOf(setting, isSet);
  const required = isRequired && !isSet;
  const change = ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value);
  const shared = { value, required, onChange: change };
  return (
    <Field label={label} {...(hint ? { hint } : {})} fault={fault}>
      {(ids) => {
        if (kind === "choice" || kind === "boolean")
          return (
            <select {...ids} {...shared}>
              <option value="">{usual === undefined ? words.unset : words.asUsual(named(kind, usual))}</option>
              {choices.map((one) => (
                <option key={one} value={one}>
                  {named(kind, one)}
                </option>
              ))}
            </select>
          );
        if (kind === "long" || kind === "list" || kind === "json")
          return <textarea {...ids} {...shared} rows={kind === "list" ? 3 : 5} spellCheck={false} />;
        if (kind === "secret") return <input {...ids} {...shared} type="password" autoComplete="new-password" />;
        return <input {...ids} {...shared} inputMode={kind === "number" ? "numeric" : undefined} spellCheck={false} />;
      }}
    </Field>
  );
}

const named = (kind: Setting["kind"], value: string) =>
  kind === "boolean" ? words.booleans[value === "true" ? "true" : "false"] : value;

function hintOf({ kind, description, example, usual }: Setting, isSet: boolean): string {
  const isChosen = kind === "choice" || kind === "boolean";
  const parts = [
    description,
    example !== undefined && words.example(example),
    usual !== undefined && !isChosen && words.usual(usual),
    (kind === "list" || kind === "json") && words.kinds[kind],
    kind === "secret" && isSet && words.kept,
  ];
  return parts.filter(Boolean).join(" ");
}
