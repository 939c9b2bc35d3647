import { useQuery } from "@tanstack/react-query";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Time } from "../../../ui/time.js";
import { EstateFilters, EstateLinks, useEstateFilters } from "../estate-filters.js";
import { AssetMap } from "./asset-map.js";
import { graphQuery } from "./graph-query.js";
import { GraphTables } from "./graph-tables.js";

/** All assets that fit the filters and what leads from one to another: as a map, and the same as tables. */
export function GraphPage() {
  const { filters, query } = useEstateFilters();
  const graph = useQuery(graphQuery(query));
  return (
    <Page title={t.estate.graphTitle} heading={t.estate.title} actions={<EstateLinks />}>
      <EstateFilters filters={filters} />
      <Loaded query={graph}>
        {({ asOf, items, edges, totalAssets, totalRelation, complete, relationsComplete }) => (
          <>
            <p className="muted">
              {t.estate.asOf} <Time at={asOf} />
            </p>
            {!complete && (
              <p role="status">{t.estate.graphPart(items.length, totalAssets, totalRelation === "exact")}</p>
            )}
            {!relationsComplete && <p role="status">{t.estate.relationsPart}</p>}
            {items.length > 0 && <AssetMap items={items} edges={edges} />}
            <GraphTables items={items} edges={edges} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
