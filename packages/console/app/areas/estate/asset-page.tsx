import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { client } from "../../api/client.js";
import { recordKey } from "../../api/keys.js";
import { namedOf, useNames } from "../../api/names.js";
import { t } from "../../texts/index.js";
import { DefinitionList } from "../../ui/definition-list.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Person } from "../../ui/person.js";
import { Loading } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Tabs } from "../../ui/tabs.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { AssetActs } from "./asset-acts.js";
import { AccessOf, ActivityOf, FindingsOf, SessionsOf } from "./asset-lists.js";
import { assetQuery, effectiveQuery } from "./asset-query.js";
import { ASSET_TABS, useAssetSearch } from "./search.js";
import { type Asset, DECISION_TONES, GOVERNANCE_TONES, RISK_TONES } from "./terms.js";

const RelationsOf = lazy(() => import("./relations.js").then(({ RelationsOf: Relations }) => ({ default: Relations })));

const Versions = lazy(() => import("./asset-versions.js").then(({ AssetVersions }) => ({ default: AssetVersions })));

const PARTS = {
  overview: Overview,
  relations: RelationsOf,
  findings: FindingsOf,
  access: AccessOf,
  sessions: SessionsOf,
  versions: Versions,
  activity: ActivityOf,
} as const;

/** Everything about one asset. */
export function AssetPage() {
  const { id = "" } = useParams({ strict: false }) as { readonly id?: string };
  const { tab = "overview" } = useAssetSearch();
  const asset = useQuery(assetQuery(id));
  const Part = PARTS[tab];
  return (
    <Loaded query={asset}>
      {(data) => (
        <Page title={data.name} heading={<Text>{data.name}</Text>} actions={<AssetActs asset={data} />}>
          <p className="states">
            <span>{t.estate.types[data.assetType]}</span>
            <StatusBadge tone={GOVERNANCE_TONES[data.governanceState]}>
              {t.estate.governance[data.governanceState]}
            </StatusBadge>
            <span>{t.estate.lifecycle[data.status]}</span>
            <StatusBadge tone={RISK_TONES[data.riskTier]}>{t.estate.risks[data.riskTier]}</StatusBadge>
          </p>
          <Usable id={id} />
          <Tabs
            label={t.estate.parts}
            tabs={ASSET_TABS.map((value) => ({ value, label: t.estate.tabs[value] }))}
            selected={tab}
          />
          <Suspense fallback={<Loading />}>
            <Part asset={data} />
          </Suspense>
        </Page>
      )}
    </Loaded>
  );
}

/** Whether it may be used now, why, and the way from it to what it falls with. */
function Usable({ id }: { readonly id: string }) {
  const effective = useQuery(effectiveQuery(id));
  return (
    <Loaded query={effective}>
      {({ decision, message, path, asOf }) => (
        <section className="usable" aria-label={t.estate.usable}>
          <p>
            <StatusBadge tone={DECISION_TONES[decision]}>{t.estate.decisions[decision]}</StatusBadge>{" "}
            {message && <Text>{message}</Text>} <span className="muted">{t.estate.asOf}</span> <Time at={asOf} />
          </p>
          {path.length > 0 && (
            <ol className="path">
              {path.map((step) => (
                <li key={step.id}>
                  {t.estate.relations[step.relation]}{" "}
                  <Link to="/estate/assets/$id" params={{ id: step.id }}>
                    <Text>{step.name ?? step.id}</Text>
                  </Link>
                </li>
              ))}
            </ol>
          )}
        </section>
      )}
    </Loaded>
  );
}

const named = (party: Asset["owner"]) => <Text>{party?.name ?? party?.id}</Text>;

/** An owner or a team, which leads to all assets of it. */
function Party({ as, party }: { readonly as: "owner" | "team"; readonly party: Asset["owner"] }) {
  if (!party) return named(party);
  return (
    <Link to="/estate" search={{ [as]: party.id }}>
      {named(party)}
    </Link>
  );
}

/** The open findings in words; severities without one are left out. */
function openOf(open: NonNullable<Asset["openFindings"]>): string {
  const severities = (["critical", "high", "medium", "low", "info"] as const).filter((severity) => open[severity] > 0);
  return severities.map((one) => t.estate.openFindings(open[one], one)).join(", ") || t.none;
}

function Overview({ asset }: { readonly asset: Asset }) {
  const { openFindings: open, record } = asset;
  const words = t.estate.facts;
  return (
    <>
      {record?.type === "mcp_server" && (
        <p>
          <Link to="/estate/mcp-servers/$id" params={{ id: record.id }}>
            {t.estate.toServer}
          </Link>
        </p>
      )}
      <DefinitionList
        items={[
          [words.description, <Text key="d">{asset.description}</Text>],
          [words.owner, <Party key="o" as="owner" party={asset.owner} />],
          [words.sponsor, named(asset.sponsor)],
          [words.team, <Party key="t" as="team" party={asset.team} />],
          [words.environment, t.estate.environments[asset.environment]],
          [words.provider, <Text key="p">{asset.provider}</Text>],
          [words.purpose, <Text key="u">{asset.purpose}</Text>],
          [words.data, t.estate.classifications[asset.dataClassification]],
          [words.findings, <Text key="n">{open && openOf(open)}</Text>],
          [words.findingsAsOf, <Time key="f" at={open?.asOf} />],
          [words.approvedUntil, <Time key="a" at={asset.approvedUntil} absent={t.none} />],
          [words.lastMove, <LastMove key="r" asset={asset} />],
          [words.changed, <Time key="c" at={asset.updatedAt} />],
          [words.version, String(asset.version)],
        ]}
      />
    </>
  );
}

/** How it came to its governance state: why, by whom and when. An older decision stands in its history. */
function LastMove({ asset: { id } }: { readonly asset: Asset }) {
  const history = useQuery({
    queryKey: recordKey("ai_asset", id, "governance"),
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { size: 1 } };
      return (await client.GET("/api/v1/ai-assets/{id}/governance-state/history", { params, signal })).data;
    },
  });
  const names = useNames(history.data?.items.map(({ actor }) => actor.id));
  return (
    <Loaded query={history}>
      {({ items: [move] }) =>
        move === undefined ? (
          t.none
        ) : (
          <>
            <Text>{move.reason ?? t.estate.noReason}</Text>{" "}
            <span className="muted">
              <Person person={namedOf(names, move.actor.id)} /> <Time at={move.at} age />
            </span>
          </>
        )
      }
    </Loaded>
  );
}
