import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { listKey } from "../../api/keys.js";
import { t } from "../../texts/index.js";
import { Page } from "../../ui/page.js";
import { Empty, Failed, Loading } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { type VirtualColumn, VirtualTable } from "../../ui/virtual-table.js";
import { EstateFilters, EstateLinks, useEstateFilters } from "./estate-filters.js";
import { type Asset, GOVERNANCE_TONES, RISK_TONES } from "./terms.js";

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

/** All assets that fit the filters, page by page as one scrolls. */
export function EstatePage() {
  const { filters, query: filtered } = useEstateFilters();
  const query = { ...filtered, sort: ["name" as const], size: 100 };
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
  const pages = list.data?.pages ?? [];
  const [first] = pages;
  return (
    <Page title={t.estate.title} actions={<EstateLinks />}>
      <EstateFilters filters={filters} />
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
