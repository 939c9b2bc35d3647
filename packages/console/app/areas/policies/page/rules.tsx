import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { Whole } from "../../../ui/whole.js";
import type { Policy, Rule } from "../terms.js";

const words = t.policies;

/** What a policy says: what it is about, its rules and its parameters. */
export function RulesOf({ policy }: { readonly policy: Policy }) {
  const { key, description, category, gate, revision, pack, updatedAt, rules, params, warnings } = policy;
  return (
    <>
      <DefinitionList
        items={[
          [words.facts.key, <code key="k">{key}</code>],
          [words.facts.description, <Text key="d">{description}</Text>],
          [words.facts.category, <Text key="c">{category}</Text>],
          [words.facts.selector, <Selected key="s" policy={policy} />],
          ...(policy.kind === "posture" ? [[words.facts.gate, gate ? words.gate.yes : words.gate.no] as const] : []),
          [words.facts.version, t.number(revision)],
          [words.facts.managedBy, pack ? <Text key="p">{pack}</Text> : words.ownPolicy],
          [words.facts.changed, <Time key="u" at={updatedAt} />],
        ]}
      />
      {warnings.length > 0 && (
        <section className="against">
          <h2>{words.facts.warnings}</h2>
          <ul>
            {warnings.map(({ pointer, message }) => (
              <li key={`${pointer} ${message}`}>
                <code>{pointer}</code> <Text>{message}</Text>
              </li>
            ))}
          </ul>
        </section>
      )}
      <h2>{words.rules}</h2>
      {rules.length === 0 && <p>{words.noRules}</p>}
      {rules.map((rule) => (
        <section key={rule.key} className="rule">
          <h3>
            <code>{rule.key}</code>
          </h3>
          <DefinitionList items={factsOf(rule)} />
        </section>
      ))}
      {Object.keys(params).length > 0 && (
        <>
          <h2>{words.params}</h2>
          <Whole value={params} />
        </>
      )}
    </>
  );
}

function Selected({ policy: { kind, selector } }: { readonly policy: Policy }) {
  const { assetTypes = [], environments = [], expression } = selector;
  const types = assetTypes.map((type) => t.estate.types[type]).join(", ");
  const where = environments.map((one) => t.estate.environments[one]).join(", ");
  const any = kind === "runtime" ? words.anyAction : words.anyType;
  return (
    <>
      {words.selected(types || any, where || words.anyEnvironment)}
      {expression && (
        <pre>
          <Text>{expression}</Text>
        </pre>
      )}
    </>
  );
}

const code = (source: string) => (
  <pre key="code">
    <Text>{source}</Text>
  </pre>
);

function factsOf(rule: Rule) {
  const { when, message, severity, controls = [] } = rule;
  const isRuntime = "effect" in rule;
  const facts = words.rule;
  const shown: (readonly [string, React.ReactNode] | undefined)[] = [
    !isRuntime && rule.forEach ? [facts.forEach, <code key="l">{rule.forEach}</code>] : undefined,
    when ? [facts.when, code(when)] : undefined,
    isRuntime ? [facts.if, code(rule.if)] : [facts.assert, code(rule.assert)],
    isRuntime ? [facts.effect, words.effects[rule.effect]] : undefined,
    [facts.message, <Text key="m">{message}</Text>],
    !isRuntime && rule.locus ? [facts.locus, <code key="o">{rule.locus}</code>] : undefined,
    !isRuntime && rule.remediation ? [facts.remediation, <Text key="r">{rule.remediation}</Text>] : undefined,
    severity ? [facts.severity, t.findings.severities[severity]] : undefined,
    controls.length > 0 ? [facts.controls, <Text key="c">{controls.join(", ")}</Text>] : undefined,
  ];
  return shown.filter((fact) => fact !== undefined);
}
