import { t } from "../../texts/index.js";
import { linesOf, type Side } from "./line-difference.js";

interface DifferenceProps {
  readonly label: string;
  readonly older: Readonly<Record<string, unknown>>;
  readonly newer: Readonly<Record<string, unknown>>;
  /** Names of the fields that are compared. Those that are the same are left out. */
  readonly fields: Readonly<Record<string, string>>;
  /** Names that stand beside ids in the values. */
  readonly names?: ReadonlyMap<string, { readonly name: string | null }>;
}

const ID = /[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}/g;

const textOf = (value: unknown) =>
  typeof value === "string" ? value : (JSON.stringify(value ?? null, null, 2) as string);

/** Two states of a record side by side, field by field and line by line. */
export function Difference({ label, older, newer, fields, names }: DifferenceProps) {
  const changed = Object.keys(fields).filter((field) => textOf(older[field]) !== textOf(newer[field]));
  if (changed.length === 0) return <p>{t.versions.same}</p>;
  const named = (value: unknown) =>
    textOf(value).replace(ID, (id) => {
      const name = names?.get(id)?.name;
      return name ? `${name} (${id})` : id;
    });
  return (
    <table className="data-table difference">
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{t.versions.field}</th>
          <th scope="col">{t.versions.older}</th>
          <th scope="col">{t.versions.newer}</th>
        </tr>
      </thead>
      <tbody>
        {changed.map((field) => {
          const { before, after } = linesOf(named(older[field]), named(newer[field]));
          return (
            <tr key={field}>
              <td data-head={t.versions.field}>{fields[field]}</td>
              <td data-head={t.versions.older}>
                <Lines side={before} changed="del" />
              </td>
              <td data-head={t.versions.newer}>
                <Lines side={after} changed="ins" />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Lines of one side. Those that the other side does not have are marked as taken away or added. */
function Lines({ side, changed: Mark }: { readonly side: Side; readonly changed: "del" | "ins" }) {
  return (
    <code className="lines">
      {side.map(({ text, isChanged }, at) => {
        const line = text === "" ? " " : text;
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names, and are shown as they are
        return isChanged ? <Mark key={at}>{line}</Mark> : <span key={at}>{line}</span>;
      })}
    </code>
  );
}
