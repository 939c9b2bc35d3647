import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import { t } from "../texts/index.js";

export interface VirtualColumn<Row> {
  readonly key: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
}

interface VirtualTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly VirtualColumn<Row>[];
  /** The rows that were read so far. */
  readonly rows: readonly Row[];
  /** How many there are on the server. */
  readonly total: number;
  readonly isExact: boolean;
  readonly rowKey: (row: Row) => string;
  readonly empty: ReactNode;
  /** Reads more rows; absent when there are none or they are on their way. */
  readonly onEnd: (() => void) | undefined;
}

/** What a row measures before it is drawn, in pixels. */
const ROW = 44;
/** So many rows before the last one that was read, more are read. */
const AHEAD = 20;

/** A table over a long list: only rows on the screen are drawn, and more are read as one scrolls. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { caption, columns, rows, total, isExact, rowKey, empty, onEnd } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW,
    overscan: 12,
    scrollMargin: body.current?.offsetTop ?? 0,
    getItemKey: (index) => rowKey(rows[index] as Row),
  });
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onEnd && last >= rows.length - AHEAD) onEnd();
  }, [onEnd, last, rows.length]);
  if (rows.length === 0) return <>{empty}</>;
  const before = (shown[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  const after = virtualizer.getTotalSize() - ((shown.at(-1)?.end ?? 0) - virtualizer.options.scrollMargin);
  return (
    <>
      <p className="muted" role="status">
        {t.table.rows(total, isExact)}
      </p>
      <div className="table-scroll">
        <table className="data-table fixed-columns" aria-rowcount={isExact ? total + 1 : -1}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ key, head }) => (
                <th key={key} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            <Spacer height={before} />
            {shown.map(({ index, key }) => (
              <tr key={key} ref={virtualizer.measureElement} data-index={index} aria-rowindex={index + 2}>
                {columns.map((column) => (
                  <td key={column.key} data-head={column.head}>
                    {column.cell(rows[index] as Row)}
                  </td>
                ))}
              </tr>
            ))}
            <Spacer height={after} />
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Takes the place of rows that are not drawn. */
function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null;
}
