import { t } from "../../../texts/index.js";
import { Failed } from "../../../ui/states.js";
import { StatusBadge, type Tone } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import type { Check } from "./use-check.js";

const words = t.policies.editor;

/** What the server says of the draft: faults, tests, what looks like a mistake, and what its rules read. */
export function CheckReport({ check }: { readonly check: Check }) {
  const { report, error, isComplete, isBehind } = check;
  return (
    <section aria-label={words.check} aria-busy={isBehind}>
      <h2>{words.check}</h2>
      <p role="status">
        <Verdict check={check} />
      </p>
      {isComplete && Boolean(error) && <Failed error={error} />}
      {isComplete && report && (
        <>
          {report.faults.length > 0 && (
            <ul className="fault">
              {report.faults.map(({ pointer, message }) => (
                <li key={`${pointer} ${message}`}>
                  <code>{pointer}</code> <Text>{message}</Text>
                </li>
              ))}
            </ul>
          )}
          {report.tests.length > 0 && (
            <ul className="plain">
              {report.tests.map(({ name, passed, expected, actual }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two tests may have one name
                <li key={at}>
                  <Text>{name}</Text>{" "}
                  <StatusBadge tone={passed ? "good" : "bad"}>
                    {passed
                      ? words.testPasses
                      : words.testGets(t.policies.expectations[expected], t.policies.expectations[actual])}
                  </StatusBadge>
                </li>
              ))}
            </ul>
          )}
          {report.warnings.length > 0 && (
            <div className="against">
              <h3>{words.warnings}</h3>
              <ul>
                {report.warnings.map(({ pointer, message }) => (
                  <li key={`${pointer} ${message}`}>
                    <code>{pointer}</code> <Text>{message}</Text>
                  </li>
                ))}
              </ul>
            </div>
          )}
          <h3>{words.reads}</h3>
          <p>{report.reads.length === 0 ? words.readsNothing : <code>{report.reads.join(", ")}</code>}</p>
        </>
      )}
      <p className="muted small">{words.checking}</p>
    </section>
  );
}

function Verdict({ check: { report, error, isComplete, isBehind } }: { readonly check: Check }) {
  const [tone, said]: readonly [Tone, string] = (() => {
    if (!isComplete) return ["unknown", words.incomplete];
    if (isBehind || error || !report) return ["unknown", t.unknown];
    const failing = report.tests.filter(({ passed }) => !passed).length;
    if (report.faults.length > 0) return ["bad", words.faults(report.faults.length)];
    if (failing > 0) return ["bad", words.failing(failing)];
    return report.tests.length === 0 ? ["warning", words.validNoTests] : ["good", words.valid];
  })();
  return isComplete ? <StatusBadge tone={tone}>{said}</StatusBadge> : said;
}
