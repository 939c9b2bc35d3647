import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { recordKey } from "../../api/keys.js";
import { useMay } from "../../api/me.js";
import { namedOf, useNames } from "../../api/names.js";
import { t } from "../../texts/index.js";
import { DefinitionList } from "../../ui/definition-list.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Person } from "../../ui/person.js";
import { ReasonedAct } from "../../ui/reasoned-act.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { ClientFiles } from "./client-files.js";
import { InstallationsNav } from "./installations-nav.js";
import { EFFECT_TONES, type Installation, PUBLISHED, STATE_TONES } from "./terms.js";
import { UnpublishedServers } from "./unpublished-servers.js";

const words = t.installations;

/** One place where an agent runs: whose it is, what its client is told, and how it is cut off. */
export function InstallationPage() {
  const { installationId: id = "" } = useParams({ strict: false });
  const may = useMay();
  const installation = useQuery({
    queryKey: recordKey("installation", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai/installations/{id}", { params: { path: { id } }, signal })).data,
  });
  return (
    <Loaded query={installation}>
      {(data) => (
        <Page
          title={data.name}
          heading={<Text>{data.name}</Text>}
          actions={may("installation:revoke") && <Revoke installation={data} />}
        >
          <InstallationsNav />
          <Facts installation={data} />
          <UnpublishedServers installation={data} />
          {may("publication:read") && <FilesOf installation={data} />}
        </Page>
      )}
    </Loaded>
  );
}

function Revoke({ installation: { id, status } }: { readonly installation: Installation }) {
  return (
    <ReasonedAct
      isShown={status === "active"}
      label={words.revoke}
      hint={words.revokeHint}
      tone="danger"
      isStop
      stale={["installation"]}
      act={(body) => client.POST("/api/v1/ai/installations/{id}/revoke", { params: { path: { id } }, body })}
    />
  );
}

function FilesOf({ installation: { agentId, client: of } }: { readonly installation: Installation }) {
  const published = PUBLISHED.find((one) => one === of);
  return (
    <section aria-label={words.told.title}>
      <h2>{words.told.title}</h2>
      {published ? <ClientFiles agentId={agentId} of={published} /> : <p>{words.told.none}</p>}
    </section>
  );
}

/** As the machine last said it, since when, and of which report. */
function inForce({ effect, effectSince, report }: Installation) {
  const { columns, facts } = words;
  return [
    [
      columns.effect,
      <StatusBadge key="e" tone={EFFECT_TONES[effect]}>
        {words.effects[effect]}
      </StatusBadge>,
    ],
    [facts.since, <Time key="f" at={effectSince} age />],
    [facts.reported, <Time key="l" at={report?.at} absent={t.time.never} age />],
    [facts.number, report ? (report.number === null ? facts.ofNone : t.number(report.number)) : t.unknown],
  ] as const;
}

function Facts({ installation }: { readonly installation: Installation }) {
  const { agentId, assetId, userId, team, client: of, clientVersion, platform, status } = installation;
  const { columns, facts } = words;
  const names = useNames([agentId, assetId, userId ?? ""]);
  const revoked =
    installation.revokedAt === null
      ? []
      : ([
          [facts.revoked, <Time key="r" at={installation.revokedAt} age />],
          [facts.why, <Text key="w">{installation.revocationReason ?? t.none}</Text>],
        ] as const);
  return (
    <DefinitionList
      items={[
        [
          columns.status,
          <StatusBadge key="s" tone={STATE_TONES[status]}>
            {words.states[status]}
          </StatusBadge>,
        ],
        ...revoked,
        ...inForce(installation),
        [columns.client, words.clients[of]],
        [facts.version, <Text key="v">{clientVersion ?? t.unknown}</Text>],
        [facts.platform, <Text key="p">{platform ?? t.unknown}</Text>],
        [
          columns.agent,
          <Link key="a" to="/estate/assets/$id" params={{ id: agentId }}>
            <Person person={namedOf(names, agentId)} />
          </Link>,
        ],
        [
          facts.identity,
          <Link key="i" to="/estate/assets/$id" params={{ id: assetId }}>
            <Person person={namedOf(names, assetId)} />
          </Link>,
        ],
        [columns.person, userId === null ? facts.several : <Person key="u" person={namedOf(names, userId)} />],
        [columns.team, <Text key="t">{team ?? facts.noTeam}</Text>],
        [facts.enrolled, <Time key="n" at={installation.enrolledAt} age />],
        [columns.seen, <Time key="h" at={installation.lastSeenAt} absent={t.time.never} age />],
        [columns.ends, <Time key="c" at={installation.expiresAt} age />],
      ]}
    />
  );
}
