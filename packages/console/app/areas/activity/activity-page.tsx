import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { figureKey } from "../../api/keys.js";
import { useMay } from "../../api/me.js";
import { useNames } from "../../api/names.js";
import { t } from "../../texts/index.js";
import { HiddenNames } from "../../ui/hidden-names.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";
import { ActivityFilters } from "./activity-filters.js";
import { EventLine } from "./event-line.js";
import { type ActivitySearch, momentOf, useActivitySearch } from "./search.js";

const queryOf = ({ page, actor, words, outcome, severity, from, to }: ActivitySearch) => ({
  ...(page === undefined ? {} : { page }),
  ...(actor === undefined ? {} : { actor: [actor] }),
  ...(words === undefined ? {} : { search: words }),
  ...(outcome === undefined ? {} : { outcome: [outcome] }),
  ...(severity === undefined ? {} : { severity: [severity] }),
  ...(from === undefined ? {} : { from: momentOf(from) }),
  ...(to === undefined ? {} : { to: momentOf(to) }),
});

const eventsOf = async (subjectId: string | undefined, query: ReturnType<typeof queryOf>, signal: AbortSignal) =>
  subjectId === undefined
    ? (await client.GET("/api/v1/ai/activity", { params: { query }, signal })).data
    : (await client.GET("/api/v1/ai/activity/{subjectId}", { params: { path: { subjectId }, query }, signal })).data;

/** What has happened, the newest first: of everything or of one subject, by person, time and outcome. */
export function ActivityPage() {
  const search = useActivitySearch();
  const may = useMay();
  const navigate = useNavigate({ from: "/activity" });
  const query = queryOf(search);
  const list = useQuery({
    queryKey: figureKey("activity", [], { ...query, subject: search.subject }),
    queryFn: ({ signal }) => eventsOf(search.subject, query, signal),
    placeholderData: (before) => before,
  });
  const names = useNames(list.data?.items.flatMap(({ authid, subject }) => [authid, subject]));
  const change = (changed: Partial<ActivitySearch>) =>
    void navigate({ search: (before: object) => ({ ...before, page: undefined, ...changed }) });
  return (
    <Page
      title={t.activity.title}
      actions={
        <>
          {may("ai-audit:export") && (
            <Link to={"/activity/export"} search={pick(search)}>
              {t.activity.toExport}
            </Link>
          )}
          {may("ai-audit:verify") && <Link to={"/activity/verification"}>{t.activity.toVerification}</Link>}
        </>
      }
    >
      <ActivityFilters search={search} onChange={change} />
      <Loaded query={list}>
        {({ items, nextCursor, page }) => (
          <>
            {items.length === 0 && <Empty {...t.activity.empty} />}
            <HiddenNames names={names} />
            <ol className="timeline" aria-label={t.activity.list}>
              {items.map((event) => (
                <EventLine
                  key={event.id}
                  event={event}
                  names={names}
                  onSubject={(subject) => change({ subject, words: undefined })}
                />
              ))}
            </ol>
            <nav className="pager" aria-label={t.table.pages}>
              <button type="button" disabled={page === 0} onClick={() => change({ page: page - 1 || undefined })}>
                {t.activity.newer}
              </button>
              <button type="button" disabled={nextCursor === null} onClick={() => change({ page: page + 1 })}>
                {t.activity.older}
              </button>
            </nav>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** What an export can be narrowed down to. */
const pick = ({ subject, from, to }: ActivitySearch) => ({ subject, from, to });
