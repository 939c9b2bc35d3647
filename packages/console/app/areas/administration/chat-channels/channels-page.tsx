import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { given } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { Page } from "../../../ui/page.js";
import { Empty, Failed } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { AdministrationNav } from "../administration-nav.js";
import { pageSearchOf } from "../search.js";
import type { ChatChannel } from "../terms.js";
import { AddChannel, ChannelActs } from "./channel-acts.js";

const words = t.chatChannels;

const COLUMNS: readonly Column<ChatChannel>[] = [
  { key: "name", head: words.columns.name, cell: ({ name }) => <Text>{name}</Text> },
  { key: "app", head: words.columns.app, cell: ({ app }) => words.apps[app] },
  {
    key: "kinds",
    head: words.columns.kinds,
    cell: ({ kinds }) => kinds.map((kind) => t.notices.kinds[kind]).join(", "),
  },
  { key: "language", head: words.columns.language, cell: ({ language }) => words.languages[language] },
  { key: "changed", head: words.columns.changed, cell: ({ updatedAt }) => <Time at={updatedAt} age /> },
];

/** Channels of chats that notices are posted to. Their addresses are shown to nobody. */
export function ChannelsPage() {
  const may = useMay();
  const mayChange = may("chat-channel:write");
  return (
    <Page title={t.administration.navigation.chatChannels} actions={mayChange && <AddChannel />}>
      <AdministrationNav />
      {may("chat-channel:read") ? <Channels mayChange={mayChange} /> : <Empty {...words.withheld} />}
    </Page>
  );
}

function Channels({ mayChange }: { readonly mayChange: boolean }) {
  const filters = useListSearch(pageSearchOf);
  const cache = useQueryClient();
  const list = useList("chat_channel", given({ page: filters.search.page }), (query, signal) =>
    client.GET("/api/v1/chat-channels", { params: { query }, signal }),
  );
  const test = useMutation({
    mutationFn: async ({ id }: ChatChannel) =>
      (await client.POST("/api/v1/chat-channels/{id}/test", { params: { path: { id } } })).data,
    onSettled: () => cache.invalidateQueries({ queryKey: ["chat_channel"] }),
  });
  const acts: Column<ChatChannel> = {
    key: "acts",
    head: words.columns.acts,
    cell: (channel) => <ChannelActs channel={channel} onTest={() => !test.isPending && test.mutate(channel)} />,
  };
  return (
    <>
      <p>{words.leads}</p>
      {!mayChange && <p className="muted">{words.readOnly}</p>}
      {test.isError && <Failed error={test.error} />}
      <div role="status">{test.data && <Text>{outcomeOf(test.variables.name, test.data)}</Text>}</div>
      <ListView
        filters={filters}
        facets={[]}
        list={list}
        caption={words.list}
        columns={mayChange ? [...COLUMNS, acts] : COLUMNS}
        empty={words.empty}
      />
    </>
  );
}

interface Tested {
  readonly taken: boolean;
  readonly answer: number | null;
  readonly failure: string | null;
}

function outcomeOf(name: string, { taken, answer, failure }: Tested): string {
  const { tested } = words;
  if (taken) return tested.taken(name);
  return tested.refused(name, [answer ?? tested.none, failure].filter((one) => one !== null).join(", "));
}
