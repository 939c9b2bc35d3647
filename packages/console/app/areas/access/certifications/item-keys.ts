import { type RefObject, useEffect, useRef } from "react";
import type { Item } from "../terms.js";
import { DECISIONS, type Decision, KEYS } from "./decisions.js";

interface ItemKeysProps {
  /** The rows, in their order. */
  readonly items: readonly Item[];
  readonly open: readonly Item[];
  readonly onDecide: (item: Item, decision: Decision) => void;
  readonly onChoose: (item: Item) => void;
  /** Leaves the rows for what decides all chosen ones. */
  readonly onBulk: () => void;
}

interface ItemKeys {
  /** What holds the table. */
  readonly at: RefObject<HTMLDivElement | null>;
  /** Notes that an item was decided: once its row is gone, the next one has the focus. */
  readonly leave: (item: Item) => void;
}

const controlsOf = (row: Element | null | undefined) => [
  ...(row?.querySelectorAll<HTMLElement>("input, button") ?? []),
];

/** Decides by keys about the row that holds the focus, so that they mean nothing elsewhere, and goes from row to row by arrows. */
export function useItemKeys({ items, open, onDecide, onChoose, onBulk }: ItemKeysProps): ItemKeys {
  const at = useRef<HTMLDivElement>(null);
  const left = useRef<readonly string[]>([]);
  useEffect(() => {
    const table = at.current;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
      const row = event.target.closest("tr");
      const item = open.find(({ id }) => id === row?.dataset.row);
      if (!row || !item) return;
      const step = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
      if (step !== undefined) {
        const place = controlsOf(row).indexOf(event.target);
        const controls = controlsOf(step);
        (controls[place] ?? controls[0])?.focus();
      } else if (event.key === KEYS.choose) onChoose(item);
      else if (event.key === KEYS.bulk) onBulk();
      else {
        const decision = DECISIONS.find((one) => KEYS[one] === event.key);
        if (!decision) return;
        onDecide(item, decision);
      }
      event.preventDefault();
    };
    table?.addEventListener("keydown", onKey);
    return () => table?.removeEventListener("keydown", onKey);
  }, [open, onDecide, onChoose, onBulk]);
  useEffect(() => {
    const [gone, ...next] = left.current;
    if (gone === undefined || items.some(({ id }) => id === gone)) return;
    left.current = [];
    const following = next.find((id) => items.some((one) => one.id === id)) ?? items[0]?.id;
    const rows = [...(at.current?.querySelectorAll("tr") ?? [])];
    controlsOf(rows.find(({ dataset }) => dataset.row === following))[0]?.focus();
  }, [items]);
  return {
    at,
    leave: ({ id }) => {
      left.current = items.slice(items.findIndex((one) => one.id === id)).map((one) => one.id);
    },
  };
}
