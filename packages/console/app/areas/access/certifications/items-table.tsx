import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { useMay, useMe } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { type Column, DataTable, type ListPage } from "../../../ui/data-table.js";
import { Empty, Failed } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { type Certification, type Item, USAGE_TONES } from "../terms.js";
import { ItemDecision } from "./item-decision.js";

interface ItemsTableProps {
  readonly certification: Certification;
  readonly page: ListPage<Item>;
  readonly onPage: (page: number) => void;
}

/** Items with all that a decision takes. Several are kept at once, where nothing speaks against it. */
export function ItemsTable({ certification, page, onPage }: ItemsTableProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const cache = useQueryClient();
  const { id: me } = useMe();
  const may = useMay()("access-certification:review");
  const isMine = ({ status, reviewers }: Item) => status === "pending" && reviewers.includes(me);
  const open = certification.status === "active" && may ? page.items.filter(isMine) : [];
  const keep = useMutation({
    mutationFn: async () => {
      const items = open
        .filter(({ id }) => chosen.has(id))
        .map(({ id, snapshotVersion }) => ({ id, expectedSnapshotVersion: snapshotVersion }));
      const path = { id: certification.id };
      return (
        await client.POST("/api/v1/access-certifications/{id}/items/certify", { params: { path }, body: { items } })
      ).data;
    },
    onSuccess: async () => {
      setChosen(new Set());
      await cache.invalidateQueries({ queryKey: ["access_certification"] });
    },
  });
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const clean = open.filter(({ recommendation }) => recommendation.value !== "revoke").map(({ id }) => id);
  return (
    <>
      {open.length > 0 && (
        <div className="bulk">
          <button type="button" onClick={() => setChosen(new Set(clean))}>
            {t.access.bulk.choose(clean.length)}
          </button>
          <button
            type="button"
            className="primary"
            disabled={chosen.size === 0 || keep.isPending}
            onClick={() => keep.mutate()}
          >
            {t.access.bulk.keep(chosen.size)}
          </button>
        </div>
      )}
      {keep.isError && <Failed error={keep.error} />}
      {keep.data && <Kept result={keep.data} items={page.items} />}
      <DataTable
        caption={t.access.items.list}
        columns={columnsOf(open, chosen, toggle, certification.id)}
        page={page}
        rowKey={({ id }) => id}
        empty={<Empty {...t.access.items.empty} />}
        onPage={onPage}
      />
    </>
  );
}

interface Result {
  readonly certified: readonly string[];
  readonly refused: readonly { readonly id: string; readonly because: readonly string[] }[];
}

/** What was kept, and what must be looked at alone, with the reasons of the server. */
function Kept({ result: { certified, refused }, items }: { readonly result: Result; readonly items: readonly Item[] }) {
  const nameOf = (id: string) => items.find((item) => item.id === id)?.name ?? id;
  return (
    <div role="status">
      <p>{t.access.bulk.kept(certified.length, refused.length)}</p>
      <ul>
        {refused.map(({ id, because }) => (
          <li key={id}>
            <Text>{nameOf(id)}</Text>
            <div className="muted small">
              <Text>{because.join(" ")}</Text>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function columnsOf(
  open: readonly Item[],
  chosen: ReadonlySet<string>,
  toggle: (id: string) => void,
  certificationId: string,
): readonly Column<Item>[] {
  const isOpen = (item: Item) => open.includes(item);
  const { columns } = t.access.items;
  return [
    {
      key: "choose",
      head: columns.choose,
      cell: (item) =>
        isOpen(item) && (
          <input
            type="checkbox"
            aria-label={t.access.items.choose(item.name)}
            checked={chosen.has(item.id)}
            onChange={() => toggle(item.id)}
          />
        ),
    },
    { key: "who", head: columns.who, cell: ({ assetName }) => <Text>{assetName}</Text> },
    {
      key: "what",
      head: columns.what,
      cell: ({ snapshot }) => (
        <>
          <Text>{snapshot.profileName}</Text>
          <div className="muted small">
            <Text>{snapshot.permissions.join(", ")}</Text>
          </div>
        </>
      ),
    },
    {
      key: "usage",
      head: columns.usage,
      cell: ({ snapshot: { usageState, lastUsedAt } }) => (
        <>
          <StatusBadge tone={USAGE_TONES[usageState]}>{t.access.usage[usageState]}</StatusBadge>{" "}
          {lastUsedAt && <Time at={lastUsedAt} age />}
        </>
      ),
    },
    {
      key: "advice",
      head: columns.advice,
      cell: ({ recommendation: { value, why } }) => (
        <>
          {t.access.advice[value]}
          {why.length > 0 && <div className="muted small">{<Text>{why.join(" ")}</Text>}</div>}
        </>
      ),
    },
    {
      key: "decide",
      head: columns.decide,
      cell: (item) =>
        isOpen(item) ? <ItemDecision certificationId={certificationId} item={item} /> : <Decided item={item} />,
    },
  ];
}

/** What became of an item that one does not decide, or whose it is. */
function Decided({ item: { outcome, status, reviewers } }: { readonly item: Item }) {
  if (outcome) return t.access.outcomes[outcome];
  if (status !== "pending") return t.access.itemStates[status];
  return reviewers.length === 0 ? t.access.items.held : t.access.items.ofOthers(reviewers.length);
}
