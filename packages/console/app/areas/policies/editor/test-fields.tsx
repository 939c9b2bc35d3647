import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import { TextField } from "../../../ui/text-field.js";
import { EXPECTATIONS } from "../terms.js";
import { Json } from "./about-fields.js";
import type { Draft, TestDraft } from "./draft.js";
import type { Check } from "./use-check.js";

const words = t.policies.editor;

const OF_KIND = {
  posture: EXPECTATIONS.slice(0, 4),
  runtime: EXPECTATIONS.slice(3),
} as const;

interface TestFieldsProps {
  readonly at: number;
  readonly test: TestDraft;
  readonly draft: Draft;
  readonly check: Check;
  readonly change: (patch: Partial<TestDraft>) => void;
  readonly remove: () => void;
}

/** One example that the policy must get right. */
export function TestFields({ at, test, draft, check, change, remove }: TestFieldsProps) {
  const fault = (field: string) => check.faultAt(`/tests/${at}/${field}`);
  return (
    <fieldset>
      <legend>{words.test(at + 1)}</legend>
      <TextField
        label={words.testName}
        fault={fault("name")}
        required
        maxLength={200}
        value={test.name}
        onChange={(value) => change({ name: value })}
      />
      <Json
        label={words.input}
        hint={words.inputHint}
        fault={fault("input")}
        value={test.input}
        onChange={(input) => change({ input })}
      />
      <Field label={words.expect} fault={fault("expect")}>
        {(ids) => (
          <select
            {...ids}
            value={test.expect}
            onChange={({ target }) => change({ expect: target.value as TestDraft["expect"] })}
          >
            {OF_KIND[draft.kind].map((expect) => (
              <option key={expect} value={expect}>
                {t.policies.expectations[expect]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {draft.rules.length > 1 && (
        <Field label={words.ofRule} fault={fault("rule")}>
          {(ids) => (
            <select {...ids} value={test.rule} onChange={({ target }) => change({ rule: target.value })}>
              <option value="">{words.allRules}</option>
              {draft.rules.map(({ id, key }) => (
                <option key={id} value={key}>
                  {key}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <div>
        <button type="button" onClick={remove}>
          {words.removeTest(at + 1)}
        </button>
      </div>
    </fieldset>
  );
}
