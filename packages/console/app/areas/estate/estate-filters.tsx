import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client } from "../../api/client.js";
import { listKey } from "../../api/keys.js";
import { useMay } from "../../api/me.js";
import { given, only } from "../../api/search.js";
import { t } from "../../texts/index.js";
import { Facets, type PinnedFilter } from "../../ui/facets.js";
import { type ListSearch, useListSearch } from "../../ui/list-page.js";
import { SavedViews } from "../../ui/saved-views.js";
import { SearchField } from "../../ui/search-field.js";
import { SubNav } from "../../ui/sub-nav.js";
import { estateSearchOf } from "./search.js";

const PARTIES = ["team", "owner"] as const;

type EstateSearch = ReturnType<typeof estateSearchOf>;

/** The filters of the estate as the address says them, and as the operations take them. */
export function useEstateFilters() {
  const filters = useListSearch(estateSearchOf);
  const { search } = filters;
  const query = given({
    search: search.q,
    assetType: only(search.type),
    governanceState: only(search.governance),
    status: only(search.lifecycle),
    environment: only(search.environment),
    riskTier: only(search.risk),
    team: only(search.team),
    owner: only(search.owner),
  });
  return { filters, query };
}

/** Team and owner, which an address or a view may name, by the names that assets have for them. */
function usePinned({ team, owner }: EstateSearch): readonly PinnedFilter[] {
  const answers = useQueries({
    queries: PARTIES.map((party) => {
      const id = party === "team" ? team : owner;
      const query = { ...(party === "team" ? given({ team: only(team) }) : given({ owner: only(owner) })), size: 1 };
      return {
        enabled: id !== undefined,
        queryKey: listKey("ai_asset", query),
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
          (await client.GET("/api/v1/ai-assets", { params: { query }, signal })).data.items[0],
      };
    }),
  });
  return PARTIES.flatMap((key, at) => {
    const id = key === "team" ? team : owner;
    const text = answers[at]?.data?.[key]?.name ?? id;
    return text === undefined ? [] : [{ key, label: t.estate.columns[key], text }];
  });
}

/** What narrows the estate down, as a list and as a graph. */
export function EstateFilters({ filters }: { readonly filters: ListSearch<EstateSearch> }) {
  const { search, change, clear, facet } = filters;
  const pinned = usePinned(search);
  const facets = [
    facet("type", t.estate.columns.type, t.estate.types),
    facet("governance", t.estate.columns.governance, t.estate.governance),
    facet("lifecycle", t.estate.columns.lifecycle, t.estate.lifecycle),
    facet("environment", t.estate.environment, t.estate.environments),
    facet("risk", t.estate.columns.risk, t.estate.risks),
  ];
  return (
    <>
      <SubNav
        label={t.estate.views}
        pages={[
          ["/estate", t.estate.asList],
          ["/estate/graph", t.estate.asGraph],
        ]}
        keepsSearch
      />
      <SearchField label={t.estate.search} value={search.q} onChange={(q) => change({ q }, true)} />
      <Facets facets={facets} pinned={pinned} onChange={(key, value) => change({ [key]: value })} onClear={clear} />
      <SavedViews list="estate" search={search} onOpen={filters.open} />
    </>
  );
}

/** Where one goes from the estate, as far as one may. */
export function EstateLinks() {
  const may = useMay();
  return (
    <>
      {may("ai-asset:write") && <Link to="/estate/import">{t.importFile.title}</Link>}
      {may("connector:read") && <Link to="/estate/connections">{t.connections.title}</Link>}
    </>
  );
}
