import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Empty } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { CONTROL_TONES, type Control, frameworkPostureQuery, postureKey } from "../terms.js";
import { EvidenceOf } from "./evidence.js";
import { type Assessment, useAssessment } from "./use-assessment.js";

const words = t.compliance;

/** One control: how it stands, what that rests on, and the evidence that people have attached. */
export function ControlPage() {
  const { framework = "", control: id = "" } = useParams({ strict: false }) as {
    readonly framework?: string;
    readonly control?: string;
  };
  const posture = useQuery(frameworkPostureQuery(framework));
  return (
    <Loaded query={posture}>
      {({ name, controls }) => {
        const control = controls.find(({ controlId }) => controlId === id);
        if (!control)
          return (
            <Page title={id}>
              <Empty {...t.shell.notFound} />
            </Page>
          );
        return (
          <Page title={`${id} ${control.title}`} heading={<Text>{`${id} ${control.title}`}</Text>}>
            <p className="states">
              <Link to="/compliance/$framework" params={{ framework }}>
                <Text>{name}</Text>
              </Link>
              <StatusBadge tone={CONTROL_TONES[control.state]}>{words.states[control.state]}</StatusBadge>
            </p>
            <Opened framework={framework} control={control} />
          </Page>
        );
      }}
    </Loaded>
  );
}

function Opened({ framework, control }: { readonly framework: string; readonly control: Control }) {
  const may = useMay();
  const assessment = useAssessment(framework, control.controlId);
  const described = useQuery({
    queryKey: postureKey(`controls of ${framework}`),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai/compliance/frameworks/{key}", { params: { path: { key: framework } }, signal }))
        .data,
  });
  const guidance = described.data?.controls.find(({ id }) => id === control.controlId)?.guidance;
  return (
    <>
      <ul>
        {control.reasons.map((reason) => (
          <li key={reason}>{words.reasonTexts[reason]}</li>
        ))}
      </ul>
      <DefinitionList items={factsOf(control, guidance)} />
      <Loaded query={assessment}>
        {(record) => (
          <>
            {record && <DefinitionList items={assessedOf(record)} />}
            <EvidenceOf
              framework={framework}
              controlId={control.controlId}
              record={record}
              mayAssess={may("ai-compliance:assess") && control.kind !== "automated"}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function factsOf(control: Control, guidance: string | undefined) {
  const { kind, sourceRef, rules, requirements, weight } = control;
  const facts = words.facts;
  const wanted = requirements.map(({ type, wanted: most, fresh, stale }) =>
    words.wants(words.evidenceTypes[type], most, fresh, stale),
  );
  return [
    [facts.guidance, <Text key="g">{guidance}</Text>],
    [facts.source, <Text key="s">{sourceRef}</Text>],
    [facts.kind, words.kinds[kind]],
    [words.weight, t.number(weight)],
    [facts.rules, rules.mapped === 0 ? t.none : words.results(rules.pass, rules.fail, rules.error)],
    [words.findings, t.number(rules.open)],
    [facts.evaluated, <Time key="o" at={rules.oldestEvaluation} absent={t.none} />],
    [facts.wants, wanted.join("; ") || t.none],
  ] as const;
}

function assessedOf({ rationale, attestation, nextReviewAt, workflow }: Assessment) {
  const facts = words.facts;
  return [
    [facts.workflow, words.workflows[workflow]],
    [facts.rationale, <Text key="r">{rationale}</Text>],
    [facts.attested, <Text key="a">{attestation?.by ?? t.none}</Text>],
    [facts.review, <Time key="n" at={nextReviewAt} absent={t.none} />],
  ] as const;
}
