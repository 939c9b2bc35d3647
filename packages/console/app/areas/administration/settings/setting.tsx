import { useState } from "react";
import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { TextField } from "../../../ui/text-field.js";
import type { TenantSettings } from "../terms.js";
import { type Form, formOf, meantBy, SEVERITIES, type SettingField } from "./settings.js";

interface SettingProps {
  readonly setting: SettingField;
  readonly settings: TenantSettings;
}

const STALE = ["tenant"] as const;

/** Changes one setting, as it was on the screen, or takes it back to its default. */
export function Setting({ setting, settings }: SettingProps) {
  const [form, setForm] = useState<Form>(() => formOf(setting, settings));
  const words = t.administration.settings;
  const { label, hint } = words.names[setting.name];
  const send = (value: unknown) => (why: { readonly reason?: string }) =>
    client.PATCH("/api/v1/tenant/settings", { ifMatch: settings, body: { [setting.name]: value, ...why } });
  return (
    <>
      <ReasonedAct
        label={words.change}
        name={words.changeOne(label)}
        title={label}
        hint={hint}
        stale={STALE}
        act={(why) => send(meantBy(setting, form))(why)}
        onOpen={() => setForm(formOf(setting, settings))}
      >
        <Inputs setting={setting} form={form} onChange={(changed) => setForm({ ...form, ...changed })} />
      </ReasonedAct>{" "}
      <ReasonedAct label={words.reset} name={words.resetOne(label)} title={label} stale={STALE} act={send(null)} />
    </>
  );
}

interface InputsProps {
  readonly setting: SettingField;
  readonly form: Form;
  readonly onChange: (changed: Form) => void;
}

function Inputs({ setting: { kind, choices = ["true", "false"] }, form, onChange }: InputsProps) {
  const words = t.administration.settings;
  if (kind === "days")
    return SEVERITIES.map((severity) => (
      <TextField
        key={severity}
        label={words.severities[severity]}
        hint={words.noDateHint}
        type="number"
        min={1}
        value={form[severity] ?? ""}
        onChange={(value) => onChange({ [severity]: value })}
      />
    ));
  const value = form.value ?? "";
  return (
    <Field label={words.value} {...(kind === "lines" ? { hint: words.linesHint } : {})}>
      {(ids) => {
        if (kind === "number")
          return (
            <input
              {...ids}
              type="number"
              min={0}
              value={value}
              onChange={({ target }) => onChange({ value: target.value })}
            />
          );
        if (kind === "lines")
          return <textarea {...ids} value={value} onChange={({ target }) => onChange({ value: target.value })} />;
        return (
          <select {...ids} value={value} onChange={({ target }) => onChange({ value: target.value })}>
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {words.choices[choice as keyof typeof words.choices]}
              </option>
            ))}
          </select>
        );
      }}
    </Field>
  );
}
