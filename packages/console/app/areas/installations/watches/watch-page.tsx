import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { namedOf, useNames } from "../../../api/names.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { HiddenNames } from "../../../ui/hidden-names.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Person } from "../../../ui/person.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { InstallationsNav } from "../installations-nav.js";
import { readSeen } from "./read-seen.js";
import { WATCH_TONES, type Watch } from "./terms.js";
import { WatchActs } from "./watch-acts.js";
import { WatchedCalls } from "./watched-calls.js";

const { watches: words } = t.installations;

/** One watch: who asked and who decided, what would have been denied, and the end of it. */
export function WatchPage() {
  const { watchId: id = "" } = useParams({ strict: false });
  const watch = useQuery({
    queryKey: recordKey("enforcement_watch", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai/watches/{id}", { params: { path: { id } }, signal })).data,
  });
  const seen = useQuery({
    queryKey: recordKey("enforcement_watch", id, "would be denied"),
    queryFn: ({ signal }) => readSeen(id, signal),
  });
  return (
    <Loaded query={watch}>
      {(data) => (
        <Page
          title={data.name}
          heading={<Text>{data.name}</Text>}
          actions={<WatchActs watch={data} summary={seen.data?.summary} />}
        >
          <InstallationsNav />
          <Facts watch={data} />
          <section aria-label={words.seen.title}>
            <h2>{words.seen.title}</h2>
            <Loaded query={seen}>{(all) => <WatchedCalls seen={all} />}</Loaded>
          </section>
        </Page>
      )}
    </Loaded>
  );
}

function Facts({ watch }: { readonly watch: Watch }) {
  const { team, status, reason, createdAt, expiresAt, requestedBy, relatedParty } = watch;
  const { decidedBy, decidedAt, enforcedBy, enforcedAt } = watch;
  const { columns, facts } = words;
  const names = useNames([requestedBy, decidedBy ?? "", enforcedBy ?? ""]);
  const person = (id: string | null) => <Person person={id === null ? null : namedOf(names, id)} />;
  return (
    <>
      <DefinitionList
        items={[
          [
            columns.status,
            <StatusBadge key="s" tone={WATCH_TONES[status]}>
              {words.states[status]}
            </StatusBadge>,
          ],
          [columns.team, <Text key="t">{team ?? words.allTeams}</Text>],
          [facts.reason, <Text key="r">{reason}</Text>],
          [columns.asked, person(requestedBy)],
          [columns.made, <Time key="m" at={createdAt} />],
          [columns.ends, <Time key="e" at={expiresAt} />],
          [facts.decidedBy, person(decidedBy)],
          [facts.decidedAt, <Time key="d" at={decidedAt} absent={t.none} />],
          [facts.related, relatedParty ? t.whole.yes : t.whole.no],
          [facts.enforcedBy, person(enforcedBy)],
          [facts.enforcedAt, <Time key="n" at={enforcedAt} absent={t.none} />],
        ]}
      />
      <HiddenNames names={names} />
    </>
  );
}
