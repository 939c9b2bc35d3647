import { useRef, useState } from "react";
import { useMay, useMe } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { type Column, DataTable, type ListPage } from "../../../ui/data-table.js";
import { Empty } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { type Certification, type Item, USAGE_TONES } from "../terms.js";
import { Bulk } from "./bulk.js";
import { DecideItem } from "./decide-item.js";
import { DECISIONS, type Decision, KEYS } from "./decisions.js";
import { useItemKeys } from "./item-keys.js";

interface ItemsTableProps {
  readonly certification: Certification;
  readonly page: ListPage<Item>;
  readonly onPage: (page: number) => void;
}

interface Deciding {
  readonly item: Item;
  readonly decision: Decision;
}

/** Items with all that a decision takes. Each is decided by buttons or keys, or with others where nothing speaks against it. */
export function ItemsTable({ certification, page, onPage }: ItemsTableProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [deciding, setDeciding] = useState<Deciding>();
  const { id: me } = useMe();
  const may = useMay()("access-certification:review");
  const isMine = ({ status, reviewers }: Item) => status === "pending" && reviewers.includes(me);
  const open = certification.status === "active" && may ? page.items.filter(isMine) : [];
  const toggle = ({ id }: Item) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const decide = (item: Item, decision: Decision) => setDeciding({ item, decision });
  const bulk = useRef<HTMLDivElement>(null);
  const toBulk = () => bulk.current?.querySelector("input")?.focus();
  const keys = useItemKeys({ items: page.items, open, onDecide: decide, onChoose: toggle, onBulk: toBulk });
  return (
    <>
      {open.length > 0 && (
        <div ref={bulk}>
          <Bulk
            certificationId={certification.id}
            items={page.items}
            open={open}
            chosen={chosen}
            onChoose={(ids) => setChosen(new Set(ids))}
          />
          <p className="muted small">{t.access.keys}</p>
        </div>
      )}
      <div ref={keys.at}>
        <DataTable
          caption={t.access.items.list}
          columns={columnsOf(open, chosen, toggle, decide)}
          page={page}
          rowKey={({ id }) => id}
          empty={<Empty {...t.access.items.empty} />}
          onPage={onPage}
        />
      </div>
      <DecideItem
        certificationId={certification.id}
        deciding={deciding}
        onDecided={(item) => keys.leave(item)}
        onClose={() => setDeciding(undefined)}
      />
    </>
  );
}

function columnsOf(
  open: readonly Item[],
  chosen: ReadonlySet<string>,
  toggle: (item: Item) => void,
  decide: (item: Item, decision: Decision) => void,
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
            aria-keyshortcuts={KEYS.choose}
            checked={chosen.has(item.id)}
            onChange={() => toggle(item)}
          />
        ),
    },
    { key: "who", head: columns.who, cell: ({ assetName }) => <Text>{assetName}</Text> },
    {
      key: "what",
      head: columns.what,
      cell: ({ name, snapshot }) => (
        <>
          <Text>{name}</Text>
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
      cell: ({ recommendation: { value, why }, alone }) => (
        <>
          {t.access.advice[value]}
          {why.length > 0 && <div className="muted small">{<Text>{why.join(" ")}</Text>}</div>}
          {alone.certify.length > 0 && (
            <div className="muted small">{t.access.bulk.alone(alone.certify.map(t.access.because).join(", "))}</div>
          )}
        </>
      ),
    },
    {
      key: "decide",
      head: columns.decide,
      cell: (item) =>
        isOpen(item) ? (
          <div className="decisions">
            {DECISIONS.map((one) => (
              <button
                key={one}
                type="button"
                aria-label={t.access.decideOn(t.access.decisions[one], item.name)}
                aria-keyshortcuts={KEYS[one]}
                onClick={() => decide(item, one)}
              >
                {t.access.decisions[one]}
              </button>
            ))}
          </div>
        ) : (
          <Decided item={item} />
        ),
    },
  ];
}

/** What became of an item that one does not decide, or whose it is. */
function Decided({ item: { outcome, status, reviewers } }: { readonly item: Item }) {
  if (outcome) return t.access.outcomes[outcome];
  if (status !== "pending") return t.access.itemStates[status];
  return reviewers.length === 0 ? t.access.items.held : t.access.items.ofOthers(reviewers.length);
}
