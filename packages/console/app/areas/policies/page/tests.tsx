import { useQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Empty } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import type { Policy, Validation } from "../terms.js";

const words = t.policies.tests;

/** The tests of a policy and what came of them just now. */
export function TestsOf({ policy: { id, digest } }: { readonly policy: Policy }) {
  const report = useQuery({
    queryKey: recordKey("ai_policy", id, "tests", { digest }),
    queryFn: async ({ signal }) =>
      (await client.POST("/api/v1/ai-governance/policies/{id}/test", { params: { path: { id } }, signal })).data,
  });
  return (
    <Loaded query={report}>
      {({ tests, revision }) =>
        tests.length === 0 ? (
          <Empty title={words.none} />
        ) : (
          <>
            <p>
              <span className="muted">{words.of(revision)}</span>{" "}
              <button type="button" onClick={() => void report.refetch()}>
                {words.run}
              </button>
            </p>
            <TestTable tests={tests} />
          </>
        )
      }
    </Loaded>
  );
}

/** Tests with what each wants and gets. */
export function TestTable({ tests }: { readonly tests: Validation["tests"] }) {
  return (
    <table className="data-table">
      <caption className="visually-hidden">{words.title}</caption>
      <thead>
        <tr>
          <th scope="col">{words.name}</th>
          <th scope="col">{words.expected}</th>
          <th scope="col">{words.actual}</th>
          <th scope="col">{words.result}</th>
          <th scope="col">{words.why}</th>
        </tr>
      </thead>
      <tbody>
        {tests.map(({ name, expected, actual, passed, results }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two tests may have one name
          <tr key={at}>
            <td data-head={words.name}>
              <Text>{name}</Text>
            </td>
            <td data-head={words.expected}>{t.policies.expectations[expected]}</td>
            <td data-head={words.actual}>{t.policies.expectations[actual]}</td>
            <td data-head={words.result}>
              <StatusBadge tone={passed ? "good" : "bad"}>{passed ? words.passed : words.failed}</StatusBadge>
            </td>
            <td data-head={words.why}>
              <ul className="plain">
                {results.map(({ ruleKey, outcome, message }) => (
                  <li key={ruleKey}>
                    <Text>{words.rule(ruleKey, outcome)}</Text> <span className="muted small">{message}</span>
                  </li>
                ))}
              </ul>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
