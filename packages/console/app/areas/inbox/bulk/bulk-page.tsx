import { Link, useParams } from "@tanstack/react-router";
import { t } from "../../../texts/index.js";
import { Page } from "../../../ui/page.js";
import { Empty } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { useWorkById } from "../../../work/use-works.js";
import { WorkState } from "../../../work/work-state.js";
import { bulkDecision } from "../works.js";
import type { Decision } from "./decisions.js";

const words = t.inbox.bulk;
const STATES = ["decided", "refused", "sent", "waiting"] as const;

/** Several decisions together: which are taken, which are not, and how one goes on. */
export function BulkPage() {
  const { workId = "" } = useParams({ strict: false }) as { readonly workId?: string };
  const work = useWorkById(bulkDecision, workId);
  const decisions = work?.state.decisions ?? [];
  const done = decisions.filter(({ state }) => state === "decided" || state === "refused").length;
  return (
    <Page title={work ? words.title(decisions.length) : words.none.title}>
      <p>
        <Link to="/inbox">{t.inbox.back}</Link>
      </p>
      {!work && <Empty {...words.none} />}
      {work && (
        <WorkState
          work={work}
          label={words.says(...figuresOf(decisions))}
          done={done}
          total={decisions.length}
          onClosing={bulkDecision.onClosing}
        />
      )}
      {work?.status === "paused" && decisions.some(({ state }) => state === "sent") && <p>{words.onGoingOn}</p>}
      {work?.status === "done" && <p role="status">{words.says(...figuresOf(decisions))}</p>}
      {STATES.map((state) => (
        <Decisions key={state} title={words.became[state]} decisions={decisions.filter((one) => one.state === state)} />
      ))}
    </Page>
  );
}

const figuresOf = (decisions: readonly Decision[]) =>
  [
    decisions.filter(({ state }) => state === "decided").length,
    decisions.filter(({ state }) => state === "refused").length,
    decisions.length,
  ] as const;

function Decisions({ title, decisions }: { readonly title: string; readonly decisions: readonly Decision[] }) {
  if (decisions.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {decisions.map(({ review: { id, name }, words }) => (
          <li key={id}>
            <Link to="/inbox/$id" params={{ id }}>
              <Text>{name}</Text>
            </Link>
            {words !== null && (
              <>
                {": "}
                <Text>{words}</Text>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
