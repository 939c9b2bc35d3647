import { expiryOf } from "../../records/evidence/evidence.js";
import { type ControlOutcome, type ControlState, controlOutcome } from "./control.js";
import { type ControlInput, type FrameworkInput, ordered, type PostureInputs, type RecordInput } from "./inputs.js";
import { type RuleIndex, type RulesPart, ruleIndex, rulesPart } from "./rules-part.js";

/** One control of a framework with its state and reasons. */
export interface ControlPosture extends ControlOutcome {
  readonly control: ControlInput;
  readonly rules: RulesPart;
  readonly recordId: string | null;
  readonly reviewOverdue: boolean;
}

/** Controls by state. `applicable` counts all but `notApplicable` and `upcoming`. */
export interface Counts {
  readonly applicable: number;
  readonly compliant: number;
  readonly partial: number;
  readonly nonCompliant: number;
  readonly exempted: number;
  readonly notAssessed: number;
  readonly notApplicable: number;
  readonly upcoming: number;
}

/** In percent, rounded down to a tenth. `score` is `null` when nothing was assessed. */
export interface Grade {
  readonly score: number | null;
  readonly coverage: number;
}

export interface EvidenceFreshness {
  /** When the oldest evidence in use was collected, and when the oldest evaluation in use was made. */
  readonly oldest: string | null;
  readonly oldestEvaluation: string | null;
  /** How many pieces of evidence are too old to count. */
  readonly staleCount: number;
  /** When the next piece of evidence expires. */
  readonly nextExpiry: string | null;
}

export interface FrameworkPosture extends Grade, Counts {
  readonly framework: FrameworkInput;
  readonly controls: readonly ControlPosture[];
  readonly evidenceFreshness: EvidenceFreshness;
  readonly topGaps: readonly ControlPosture[];
}

export interface Posture {
  readonly asOf: string;
  /** The inputs in canonical order, of which `digestOf` makes their digest. */
  readonly inputs: PostureInputs;
  readonly overall: Grade & Counts;
  readonly frameworks: readonly FrameworkPosture[];
}

const TOP_GAPS = 10;

/** Computes the posture at a moment from these inputs alone. Equal inputs give equal results. */
export function computePosture(given: PostureInputs, asOf: string): Posture {
  const inputs = ordered(given);
  const index = ruleIndex(inputs);
  const records = new Map(inputs.records.map((record) => [`${record.framework}:${record.controlId}`, record]));
  const frameworks = inputs.frameworks.map((framework) => frameworkPosture(framework, index, records, asOf));
  const all = frameworks.flatMap(({ controls }) => controls);
  return { asOf, inputs, overall: { ...gradeOf(all), ...countsOf(all) }, frameworks };
}

function frameworkPosture(
  framework: FrameworkInput,
  index: RuleIndex,
  records: ReadonlyMap<string, RecordInput>,
  now: string,
): FrameworkPosture {
  const controls = framework.controls.map((control): ControlPosture => {
    const record = records.get(`${framework.key}:${control.id}`);
    const rules = rulesPart(index, framework.key, control);
    return {
      control,
      rules,
      recordId: record?.id ?? null,
      reviewOverdue: record?.nextReviewAt != null && record.nextReviewAt <= now,
      ...controlOutcome(control, rules, record, { roles: framework.roles, now }),
    };
  });
  return {
    framework,
    ...gradeOf(controls),
    ...countsOf(controls),
    evidenceFreshness: freshnessOf(framework, controls, records, now),
    topGaps: gapsOf(controls).slice(0, TOP_GAPS),
    controls,
  };
}

type Weighed = Pick<ControlPosture, "state" | "worth" | "control">;

function gradeOf(controls: readonly Weighed[]): Grade {
  const assessed = controls.flatMap(({ worth, control: { weight } }) => (worth === null ? [] : [{ worth, weight }]));
  const earned = assessed.reduce((sum, { worth, weight }) => sum + worth * weight, 0);
  const most = assessed.reduce((sum, { weight }) => sum + 2 * weight, 0);
  const { applicable } = countsOf(controls);
  return {
    score: assessed.length === 0 ? null : hundredths(earned, most),
    coverage: hundredths(assessed.length, applicable),
  };
}

/** A percentage, rounded down to a tenth, so that only the whole is 100. */
function hundredths(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((1_000 * part) / whole) / 10;
}

function countsOf(controls: readonly Weighed[]): Counts {
  const count = (state: ControlState) => controls.filter((control) => control.state === state).length;
  const [notApplicable, upcoming] = [count("not_applicable"), count("upcoming")];
  return {
    applicable: controls.length - notApplicable - upcoming,
    compliant: count("compliant"),
    partial: count("partial"),
    nonCompliant: count("non_compliant"),
    exempted: count("exempted"),
    notAssessed: count("not_assessed"),
    notApplicable,
    upcoming,
  };
}

/** The states that are gaps, most severe first. */
const GRAVITY: readonly ControlState[] = ["non_compliant", "partial", "not_assessed"];

export function gapsOf(controls: readonly ControlPosture[]): ControlPosture[] {
  const order = ({ state, control, rules }: ControlPosture) => [GRAVITY.indexOf(state), -control.weight, -rules.open];
  return controls
    .filter(({ state }) => GRAVITY.includes(state))
    .sort((one, other) => {
      const [a, b] = [order(one), order(other)];
      const at = a.findIndex((value, index) => value !== b[index]);
      return at === -1 ? 0 : (a[at] as number) - (b[at] as number);
    });
}

function freshnessOf(
  framework: FrameworkInput,
  controls: readonly ControlPosture[],
  records: ReadonlyMap<string, RecordInput>,
  now: string,
): EvidenceFreshness {
  const dated = framework.controls.flatMap(({ id, evidence }) =>
    (records.get(`${framework.key}:${id}`)?.evidence ?? []).map((item) => {
      const days = evidence.find(({ type }) => type === item.type)?.freshnessDays ?? null;
      return { collectedAt: item.collectedAt, expiry: expiryOf(item, days) };
    }),
  );
  const stale = dated.filter(({ expiry }) => expiry !== null && expiry <= now);
  const fresh = dated.filter((item) => !stale.includes(item));
  const first = (moments: readonly (string | null)[]) =>
    moments.reduce((one, other) => (one === null || (other !== null && other < one) ? other : one), null);
  return {
    oldest: first(fresh.map(({ collectedAt }) => collectedAt)),
    oldestEvaluation: first(controls.map(({ rules }) => rules.oldestEvaluation)),
    staleCount: stale.length,
    nextExpiry: first(fresh.map(({ expiry }) => expiry)),
  };
}
