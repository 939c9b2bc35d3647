import { t } from "../../../texts/index.js";
import { Choices } from "../../../ui/choices.js";
import { Field } from "../../../ui/field.js";
import { TextField } from "../../../ui/text-field.js";
import { ASSET_TYPES, ENVIRONMENTS, KINDS, type Policy, SEVERITIES } from "../terms.js";
import { CelEditor } from "./cel-editor.js";
import type { Draft } from "./draft.js";
import type { Check } from "./use-check.js";
import type { Vocabulary } from "./vocabulary.js";

const words = t.policies.editor;

interface AboutFieldsProps {
  readonly draft: Draft;
  readonly change: (patch: Partial<Draft>) => void;
  readonly check: Check;
  readonly vocabulary: Vocabulary;
  readonly isNew: boolean;
  /** Of a pack: what is not the tenant's to change is left out. */
  readonly isForeign: boolean;
}

/** What a policy is called, how grave it is, and what it is about. */
export function AboutFields({ draft, change, check, vocabulary, isNew, isForeign }: AboutFieldsProps) {
  const { faultAt, faultsAt } = check;
  return (
    <>
      <fieldset>
        <legend>{words.about}</legend>
        {!isForeign && (
          <TextField
            label={words.name}
            fault={faultAt("/name")}
            required
            maxLength={200}
            value={draft.name}
            onChange={(value) => change({ name: value })}
          />
        )}
        {isNew && (
          <>
            <TextField
              label={words.key}
              hint={words.keyHint}
              fault={faultAt("/key")}
              required
              maxLength={64}
              value={draft.key}
              onChange={(value) => change({ key: value })}
            />
            <Field label={words.kind} fault={faultAt("/kind")}>
              {(ids) => (
                <select
                  {...ids}
                  value={draft.kind}
                  onChange={({ target }) => change({ kind: target.value as Policy["kind"] })}
                >
                  {KINDS.map((kind) => (
                    <option key={kind} value={kind}>
                      {t.policies.kindsLong[kind]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </>
        )}
        <Field label={words.severity} fault={faultAt("/severity")}>
          {(ids) => (
            <select
              {...ids}
              value={draft.severity}
              onChange={({ target }) => change({ severity: target.value as Policy["severity"] })}
            >
              {SEVERITIES.map((severity) => (
                <option key={severity} value={severity}>
                  {t.findings.severities[severity]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {draft.kind === "posture" && (
          <label className="choice">
            <input type="checkbox" checked={draft.gate} onChange={({ target }) => change({ gate: target.checked })} />
            {words.gate}
          </label>
        )}
        {!isForeign && (
          <>
            <TextField
              label={words.description}
              fault={faultAt("/description")}
              rows={2}
              maxLength={2000}
              value={draft.description}
              onChange={(value) => change({ description: value })}
            />
            <TextField
              label={words.category}
              fault={faultAt("/category")}
              maxLength={200}
              value={draft.category}
              onChange={(value) => change({ category: value })}
            />
          </>
        )}
        <Json
          label={words.params}
          hint={words.paramsHint}
          fault={faultAt("/params")}
          value={draft.params}
          onChange={(params) => change({ params })}
        />
        {!isForeign && (
          <Json
            label={words.paramSchemas}
            hint={words.paramSchemasHint}
            fault={faultAt("/paramSchemas")}
            value={draft.paramSchemas}
            onChange={(paramSchemas) => change({ paramSchemas })}
          />
        )}
      </fieldset>
      {!isForeign && (
        <fieldset>
          <legend>{words.selects}</legend>
          <Choices
            label={words.types}
            all={ASSET_TYPES}
            named={t.estate.types}
            chosen={draft.assetTypes}
            onChange={(assetTypes) => change({ assetTypes })}
          />
          <Choices
            label={words.environments}
            all={ENVIRONMENTS}
            named={t.estate.environments}
            chosen={draft.environments}
            onChange={(environments) => change({ environments })}
          />
          <p className="muted small">{words.allIfNone}</p>
          <CelEditor
            label={words.expression}
            hint={words.expressionHint}
            value={draft.expression}
            onChange={(expression) => change({ expression })}
            faults={faultsAt("/selector/expression")}
            fault={faultAt("/selector/expression")}
            vocabulary={vocabulary}
          />
        </fieldset>
      )}
    </>
  );
}

interface JsonProps {
  readonly label: string;
  readonly hint: string;
  readonly fault: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An object of any shape, as JSON. */
export function Json({ label, hint, fault, value, onChange }: JsonProps) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(ids) => (
        <textarea
          {...ids}
          className="source"
          spellCheck={false}
          rows={Math.min(12, value.split("\n").length + 1)}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
