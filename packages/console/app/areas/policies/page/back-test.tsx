import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import { Progress } from "../../../ui/progress.js";
import { Empty, Failed } from "../../../ui/states.js";
import { Time } from "../../../ui/time.js";
import { usePolicySearch } from "../search.js";
import { BACK_TEST_DAYS, type BackTest, type Policy } from "../terms.js";
import { OverAssets, OverRequests } from "./back-test-results.js";

const words = t.policies.backTest;

/** What a policy would have said. It goes on when the page is left, and its result is there when one comes back. */
export function BackTestOf({ policy: { id, digest } }: { readonly policy: Policy }) {
  const { days } = usePolicySearch();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [chosen, setChosen] = useState<number>(days ?? 30);
  // It belongs to what the policy says, so no event about the policy has it run again.
  const key = ["back test", `${id} ${digest}`, days] as const;
  const test = useQuery({
    enabled: days !== undefined,
    queryKey: key,
    queryFn: async () =>
      (
        await client.POST("/api/v1/ai-governance/policies/{id}/back-test", {
          params: { path: { id } },
          body: { days: days ?? 30 },
        })
      ).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const run = async () => {
    if (chosen === days) return void (await cache.resetQueries({ queryKey: key }));
    await navigate({ to: ".", search: (before: object) => ({ ...before, days: chosen }) });
  };
  return (
    <>
      <form
        className="filter-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Field label={words.days}>
          {(ids) => (
            <select {...ids} value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
              {BACK_TEST_DAYS.map((each) => (
                <option key={each} value={each}>
                  {words.lastDays(each)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="submit" className="primary" aria-disabled={test.isFetching}>
          {words.run}
        </button>
      </form>
      {test.isFetching && <Progress label={words.running} done={0} total={null} />}
      {test.isError && <Failed error={test.error} />}
      {test.data && !test.isFetching && <Result result={test.data} />}
      {days === undefined && <Empty title={words.none} detail={words.noneDetail} />}
    </>
  );
}

function Result({ result }: { readonly result: BackTest }) {
  const { from, to, complete, asOfNow, overAssets, overRequests } = result;
  return (
    <section aria-label={words.title}>
      <p>
        {words.range} <Time at={from} /> {words.until} <Time at={to} />
      </p>
      {!complete && <p className="against">{words.incomplete}</p>}
      {asOfNow.length > 0 && <p className="muted">{words.asOfNow(asOfNow.join(", "))}</p>}
      {overAssets && <OverAssets found={overAssets} />}
      {overRequests && <OverRequests found={overRequests} />}
    </section>
  );
}
