import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { listKey } from "../../api/keys.js";
import { t } from "../../texts/index.js";
import { type Facet, Facets } from "../../ui/facets.js";
import { Page } from "../../ui/page.js";
import { SearchField } from "../../ui/search-field.js";
import { Empty, Failed, Loading } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { type VirtualColumn, VirtualTable } from "../../ui/virtual-table.js";
import { useEstateSearch } from "./search.js";
import {
  type Asset,
  ENVIRONMENTS,
  GOVERNANCE,
  GOVERNANCE_TONES,
  LIFECYCLE,
  RISK_TONES,
  RISKS,
  TYPES,
} from "./terms.js";

const COLUMNS: readonly VirtualColumn<Asset>[] = [
  {
    key: "name",
    head: t.estate.columns.name,
    cell: ({ id, name }) => (
      <Link to="/estate/assets/$id" params={{ id }}>
        <Text>{name}</Text>
      </Link>
    ),
  },
  { key: "type", head: t.estate.columns.type, cell: ({ assetType }) => t.estate.types[assetType] },
  { key: "team", head: t.estate.columns.team, cell: ({ team }) => <Text>{team?.name ?? team?.id}</Text> },
  { key: "owner", head: t.estate.columns.owner, cell: ({ owner }) => <Text>{owner?.name ?? owner?.id}</Text> },
  {
    key: "governance",
    head: t.estate.columns.governance,
    cell: ({ governanceState: state }) => (
      <StatusBadge tone={GOVERNANCE_TONES[state]}>{t.estate.governance[state]}</StatusBadge>
    ),
  },
  { key: "lifecycle", head: t.estate.columns.lifecycle, cell: ({ status }) => t.estate.lifecycle[status] },
  {
    key: "risk",
    head: t.estate.columns.risk,
    cell: ({ riskTier }) => <StatusBadge tone={RISK_TONES[riskTier]}>{t.estate.risks[riskTier]}</StatusBadge>,
  },
];

const optionsOf = <K extends string>(values: readonly K[], words: Readonly<Record<K, string>>) =>
  values.map((value) => ({ value, label: words[value] }));

/** All assets that fit the filters, page by page as one scrolls. */
export function EstatePage() {
  const search = useEstateSearch();
  const { q, type, governance, lifecycle, environment, risk, team, owner } = search;
  const navigate = useNavigate({ from: "/estate" });
  const query = {
    ...(q ? { search: q } : {}),
    ...(type ? { assetType: [type] } : {}),
    ...(governance ? { governanceState: [governance] } : {}),
    ...(lifecycle ? { status: [lifecycle] } : {}),
    ...(environment ? { environment: [environment] } : {}),
    ...(risk ? { riskTier: [risk] } : {}),
    ...(team ? { team: [team] } : {}),
    ...(owner ? { owner: [owner] } : {}),
    sort: ["name" as const],
    size: 100,
  };
  const list = useInfiniteQuery({
    queryKey: listKey("ai_asset", query),
    queryFn: async ({ pageParam, signal }) => {
      const params = { query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) } };
      return (await client.GET("/api/v1/ai-assets", { params, signal })).data;
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (before) => before,
  });
  const change = (key: string, value: string | undefined) =>
    void navigate({ search: (before: object) => ({ ...before, [key]: value }), replace: key === "q" });
  const facets: readonly Facet[] = [
    { key: "type", label: t.estate.columns.type, options: optionsOf(TYPES, t.estate.types), value: type },
    {
      key: "governance",
      label: t.estate.columns.governance,
      options: optionsOf(GOVERNANCE, t.estate.governance),
      value: governance,
    },
    {
      key: "lifecycle",
      label: t.estate.columns.lifecycle,
      options: optionsOf(LIFECYCLE, t.estate.lifecycle),
      value: lifecycle,
    },
    {
      key: "environment",
      label: t.estate.environment,
      options: optionsOf(ENVIRONMENTS, t.estate.environments),
      value: environment,
    },
    { key: "risk", label: t.estate.columns.risk, options: optionsOf(RISKS, t.estate.risks), value: risk },
  ];
  const pages = list.data?.pages ?? [];
  const [first] = pages;
  return (
    <Page title={t.estate.title}>
      <SearchField label={t.estate.search} value={q} onChange={(value) => change("q", value)} />
      <Facets facets={facets} onChange={change} onClear={() => void navigate({ search: {} })} />
      {list.isError && <Failed error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {first && (
        <VirtualTable
          caption={t.estate.list}
          columns={COLUMNS}
          rows={pages.flatMap(({ items }) => items)}
          total={first.totalItems}
          isExact={first.totalRelation === "exact"}
          rowKey={({ id }) => id}
          empty={<Empty {...t.estate.empty} />}
          onEnd={list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined}
        />
      )}
    </Page>
  );
}
