import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { given } from "../../../api/search.js";
import { t } from "../../../texts/index.js";
import type { Column } from "../../../ui/data-table.js";
import { ListView, useList, useListSearch } from "../../../ui/list-page.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { roleName, STATUS_TONES } from "../../administration/terms.js";
import { pageSearchOf } from "../search.js";
import { type SupportUser, TENANTS } from "../terms.js";

const { columns: heads } = t.provider.users;

const COLUMNS: readonly Column<SupportUser>[] = [
  { key: "name", head: heads.name, cell: ({ name }) => <Text>{name}</Text> },
  { key: "username", head: heads.username, cell: ({ username }) => <Text>{username}</Text> },
  { key: "roles", head: heads.roles, cell: ({ roles }) => <Text>{roles.map(roleName).join(", ") || t.none}</Text> },
  {
    key: "status",
    head: heads.status,
    cell: ({ status }) => <StatusBadge tone={STATUS_TONES[status]}>{t.administration.states[status]}</StatusBadge>,
  },
];

/** People of a tenant: the provider lets them in or not, and has lost passwords set anew. */
export function People({ tenantId }: { readonly tenantId: string }) {
  const filters = useListSearch(pageSearchOf);
  const may = useMay();
  const query = given({ page: filters.search.page });
  const list = useList(
    "support_user",
    query,
    (wanted, signal) => {
      const params = { path: { tenantId }, query: wanted };
      return client.GET("/api/v1/support/orgs/{tenantId}/users", { params, signal });
    },
    [...TENANTS, tenantId, "users", query],
  );
  const acts: Column<SupportUser> = { key: "acts", head: heads.acts, cell: (user) => <Acts user={user} /> };
  return (
    <section aria-label={t.provider.users.title}>
      <h2>{t.provider.users.title}</h2>
      <ListView
        filters={filters}
        facets={[]}
        list={list}
        caption={t.provider.users.list}
        columns={may("support:users") ? [...COLUMNS, acts] : COLUMNS}
        empty={t.provider.users.empty}
      />
    </section>
  );
}

function Acts({ user }: { readonly user: SupportUser }) {
  const words = t.provider.users;
  const isDisabled = user.status === "disabled";
  const path = { userId: user.id };
  const move = (status: "active" | "disabled") => (why: { readonly reason?: string }) =>
    client.POST("/api/v1/support/users/{userId}/status", { params: { path }, ifMatch: user, body: { status, ...why } });
  return (
    <>
      <ReasonedAct
        isShown={!isDisabled}
        label={words.disable}
        name={words.one(words.disable, user.name)}
        hint={words.disableHint}
        tone="danger"
        isStop
        stale={TENANTS}
        act={move("disabled")}
      />
      <ReasonedAct
        isShown={isDisabled}
        label={words.enable}
        name={words.one(words.enable, user.name)}
        hint={words.enableHint}
        isReasonRequired
        stale={TENANTS}
        act={move("active")}
      />{" "}
      <ReasonedAct
        isShown={user.status === "active"}
        label={words.reset}
        name={words.one(words.reset, user.name)}
        hint={words.resetHint}
        isReasonRequired
        stale={TENANTS}
        act={(why) => client.POST("/api/v1/support/users/{userId}/reset-password", { params: { path }, body: why })}
      />
    </>
  );
}
