import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import { Empty } from "../../../ui/states.js";
import { Time } from "../../../ui/time.js";
import { useWork, useWorks } from "../../../work/use-works.js";
import { WorkState } from "../../../work/work-state.js";
import { beginWork } from "../../../work/works.js";
import { usePolicySearch } from "../search.js";
import { BACK_TEST_DAYS, type BackTest, type Policy } from "../terms.js";
import { backTesting } from "../works.js";
import { OverAssets, OverRequests } from "./back-test-results.js";

const words = t.policies.backTest;

/** What a policy would have said. It goes on when the page is left, and its result is there when one comes back. */
export function BackTestOf({ policy: { id, name, digest } }: { readonly policy: Policy }) {
  const { days } = usePolicySearch();
  const { isOpen } = useWorks();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<number>(days ?? 30);
  const key = `${id} ${days}`;
  const found = useWork(backTesting, key);
  // It belongs to what the policy says, so no event about the policy has it run again.
  const work = found?.input.digest === digest ? found : undefined;
  const isRunning = work?.status === "running";
  const asked = useRef<string>(undefined);
  useEffect(() => {
    if (work) asked.current = key;
    // An address runs it, and what one has put away stays away.
    if (work || !isOpen || days === undefined || asked.current === key) return;
    asked.current = key;
    void beginWork(backTesting, { key, input: { policyId: id, name, digest, days }, state: null });
  }, [work, isOpen, key, id, name, digest, days]);
  const run = async () => {
    if (chosen !== days) await navigate({ to: ".", search: (before: object) => ({ ...before, days: chosen }) });
    else await beginWork(backTesting, { key, input: { policyId: id, name, digest, days: chosen }, state: null });
  };
  return (
    <>
      <form
        className="filter-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isRunning) void run();
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
        <button type="submit" className="primary" aria-disabled={isRunning}>
          {words.run}
        </button>
      </form>
      {work && <WorkState work={work} label={words.running} done={0} total={null} onClosing={backTesting.onClosing} />}
      {work?.state && <Result result={work.state} />}
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
