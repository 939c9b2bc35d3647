import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { given } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Page } from "../../../ui/page.js";
import { Text } from "../../../ui/text.js";
import { ProviderNav } from "../provider-nav.js";
import { pageSearchOf } from "../search.js";
import { CONFIG, type ConfigEntry } from "../terms.js";
import { SettingActs } from "./setting-acts.js";

const { columns: heads, sources } = t.provider.settings;

const COLUMNS: readonly Column<ConfigEntry>[] = [
  { key: "key", head: heads.key, cell: ({ id }) => <Text>{id}</Text> },
  { key: "sets", head: heads.sets, cell: ({ description }) => <Text>{description}</Text> },
  { key: "value", head: heads.value, cell: ({ value }) => <Text>{JSON.stringify(value)}</Text> },
  { key: "source", head: heads.source, cell: ({ source }) => sources[source] },
];

const change: Column<ConfigEntry> = {
  key: "change",
  head: heads.change,
  cell: (entry) => <SettingActs entry={entry} />,
};

/** Every setting of the platform, with what is in force and where it comes from. */
export function SettingsPage() {
  const filters = useListSearch(pageSearchOf);
  const may = useMay();
  const query = given({ page: filters.search.page });
  const read = (wanted: typeof query, signal: AbortSignal) =>
    client.GET("/api/v1/support/config", { params: { query: wanted }, signal });
  const list = useList("platform_setting", query, read, [...CONFIG, query]);
  return (
    <Page title={t.provider.settings.title}>
      <ProviderNav />
      <ListView
        filters={filters}
        facets={[]}
        list={list}
        caption={t.provider.settings.list}
        columns={may("support:config") ? [...COLUMNS, change] : COLUMNS}
        empty={t.provider.settings.empty}
      />
    </Page>
  );
}
