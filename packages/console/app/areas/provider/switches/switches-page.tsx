import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { type Column, DataTable } from "../../../ui/data-table.js";
import { useListSearch } from "../../../ui/list-page.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { Empty } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { ProviderNav } from "../provider-nav.js";
import { pageSearchOf } from "../search.js";
import { type KillSwitch, SWITCHES } from "../terms.js";
import { moveSwitch, switchesQuery } from "./switch-query.js";

const { columns: heads, states } = t.provider.switches;

const COLUMNS: readonly Column<KillSwitch>[] = [
  { key: "key", head: heads.key, cell: ({ id }) => <Text>{id}</Text> },
  { key: "stops", head: heads.stops, cell: ({ description }) => <Text>{description}</Text> },
  {
    key: "status",
    head: heads.status,
    cell: ({ status, reason }) => (
      <>
        <StatusBadge tone={status === "engaged" ? "bad" : "neutral"}>{states[status]}</StatusBadge>{" "}
        {reason && <Text>{reason}</Text>}
      </>
    ),
  },
  { key: "since", head: heads.since, cell: ({ updatedAt }) => <Time at={updatedAt} absent={t.time.never} age /> },
];

const move: Column<KillSwitch> = {
  key: "change",
  head: heads.change,
  cell: (one) =>
    (["engaged", "released"] as const).map((to) => {
      const label = to === "engaged" ? t.provider.switches.engage : t.provider.switches.release;
      return (
        <ReasonedAct
          key={to}
          isShown={one.status !== to}
          label={label}
          name={t.provider.switches.one(label, one.id)}
          hint={one.description}
          tone={to === "engaged" ? "danger" : "primary"}
          isReasonRequired={to === "released"}
          isStop={to === "engaged"}
          stale={SWITCHES}
          act={(why) => moveSwitch(one, to, why)}
        />
      );
    }),
};

/** Every switch that stops a part of the platform, and those that stop one tenant or asset. */
export function SwitchesPage() {
  const { search, change } = useListSearch(pageSearchOf);
  const may = useMay();
  const switches = useQuery(switchesQuery(search.page));
  return (
    <Page title={t.provider.switches.title}>
      <ProviderNav />
      <Loaded query={switches}>
        {(page) => (
          <DataTable
            caption={t.provider.switches.list}
            columns={may("support:kill-switches") ? [...COLUMNS, move] : COLUMNS}
            page={page}
            rowKey={({ id }) => id}
            empty={<Empty {...t.provider.switches.empty} />}
            onPage={(to) => change({ page: to || undefined })}
          />
        )}
      </Loaded>
    </Page>
  );
}
