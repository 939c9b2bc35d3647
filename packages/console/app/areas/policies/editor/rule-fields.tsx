import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import { TextField } from "../../../ui/text-field.js";
import { EFFECTS, type Policy, SEVERITIES } from "../terms.js";
import { CelEditor } from "./cel-editor.js";
import type { RuleDraft } from "./draft.js";
import type { Check } from "./use-check.js";
import { listsOf, type Vocabulary, withItem } from "./vocabulary.js";

const words = t.policies.editor;

interface RuleFieldsProps {
  readonly at: number;
  readonly rule: RuleDraft;
  readonly kind: Policy["kind"];
  readonly check: Check;
  readonly vocabulary: Vocabulary;
  readonly change: (patch: Partial<RuleDraft>) => void;
  readonly remove: () => void;
}

/** One rule: where it is asked, what must be true, and what it tells people. */
export function RuleFields({ at, rule, kind, check, vocabulary, change, remove }: RuleFieldsProps) {
  const pointer = `/rules/${at}`;
  const fault = (field: string) => check.faultAt(`${pointer}/${field}`);
  const condition = kind === "posture" ? "assert" : "if";
  const own = withItem(vocabulary, kind === "posture" ? rule.forEach : "");
  return (
    <fieldset>
      <legend>{words.rule(at + 1)}</legend>
      {check.faultAt(pointer) && <p className="fault">{check.faultAt(pointer)}</p>}
      <TextField
        label={words.ruleKey}
        fault={fault("key")}
        required
        maxLength={64}
        value={rule.key}
        onChange={(value) => change({ key: value })}
      />
      {kind === "posture" && <Items rule={rule} lists={listsOf(vocabulary)} fault={fault} change={change} />}
      <CelEditor
        label={kind === "posture" ? words.assert : words.if}
        hint={words.wordsHint}
        value={rule.condition}
        onChange={(value) => change({ condition: value })}
        faults={check.faultsAt(`${pointer}/${condition}`)}
        fault={fault(condition)}
        vocabulary={own}
      />
      {kind === "runtime" && (
        <Field label={words.effect} fault={fault("effect")}>
          {(ids) => (
            <select
              {...ids}
              value={rule.effect}
              onChange={({ target }) => change({ effect: target.value as RuleDraft["effect"] })}
            >
              {EFFECTS.map((effect) => (
                <option key={effect} value={effect}>
                  {t.policies.effects[effect]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <TextField
        label={words.message}
        hint={words.messageHint}
        fault={fault("message")}
        required
        maxLength={500}
        value={rule.message}
        onChange={(value) => change({ message: value })}
      />
      <CelEditor
        label={words.when}
        value={rule.when}
        onChange={(when) => change({ when })}
        faults={check.faultsAt(`${pointer}/when`)}
        fault={fault("when")}
        vocabulary={own}
      />
      {kind === "posture" && (
        <TextField
          label={words.remediation}
          fault={fault("remediation")}
          rows={2}
          maxLength={2000}
          value={rule.remediation}
          onChange={(value) => change({ remediation: value })}
        />
      )}
      <Field label={words.ruleSeverity} fault={fault("severity")}>
        {(ids) => (
          <select
            {...ids}
            value={rule.severity}
            onChange={({ target }) => change({ severity: target.value as RuleDraft["severity"] })}
          >
            <option value="">{words.asPolicy}</option>
            {SEVERITIES.map((severity) => (
              <option key={severity} value={severity}>
                {t.findings.severities[severity]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        label={words.controls}
        hint={words.controlsHint}
        fault={controlFault(check, pointer)}
        rows={2}
        value={rule.controls}
        onChange={(value) => change({ controls: value })}
      />
      <div>
        <button type="button" onClick={remove}>
          {words.removeRule(at + 1)}
        </button>
      </div>
    </fieldset>
  );
}

const controlFault = ({ report }: Check, pointer: string) =>
  report?.faults.find((fault) => fault.pointer.startsWith(`${pointer}/controls/`))?.message;

interface ItemsProps {
  readonly rule: RuleDraft;
  readonly lists: readonly string[];
  readonly fault: (field: string) => string | undefined;
  readonly change: (patch: Partial<RuleDraft>) => void;
}

/** The list that a rule goes through, and what tells its items apart. */
function Items({ rule, lists, fault, change }: ItemsProps) {
  const options = rule.forEach === "" || lists.includes(rule.forEach) ? lists : [rule.forEach, ...lists];
  return (
    <>
      <Field label={words.forEach} fault={fault("forEach")}>
        {(ids) => (
          <select {...ids} value={rule.forEach} onChange={({ target }) => change({ forEach: target.value })}>
            <option value="">{words.noList}</option>
            {options.map((list) => (
              <option key={list} value={list}>
                {list}
              </option>
            ))}
          </select>
        )}
      </Field>
      {rule.forEach !== "" && (
        <TextField
          label={words.locus}
          fault={fault("locus")}
          maxLength={100}
          value={rule.locus}
          onChange={(value) => change({ locus: value })}
        />
      )}
    </>
  );
}
