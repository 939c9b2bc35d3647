import { t } from "../../../texts/index.js";
import { linesOf, type Side } from "./line-difference.js";

interface DifferenceProps {
  readonly label: string;
  readonly older: Readonly<Record<string, unknown>>;
  readonly newer: Readonly<Record<string, unknown>>;
  /** Fields that are compared. Those that are the same are left out. */
  readonly fields: readonly string[];
}

const textOf = (value: unknown) =>
  typeof value === "string" ? value : (JSON.stringify(value ?? null, null, 2) as string);

/** Two states of a policy side by side, field by field and line by line. */
export function Difference({ label, older, newer, fields }: DifferenceProps) {
  const changed = fields.filter((field) => textOf(older[field]) !== textOf(newer[field]));
  if (changed.length === 0) return <p>{t.policies.versions.same}</p>;
  return (
    <table className="data-table difference">
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{t.policies.versions.field}</th>
          <th scope="col">{t.policies.versions.older}</th>
          <th scope="col">{t.policies.versions.newer}</th>
        </tr>
      </thead>
      <tbody>
        {changed.map((field) => {
          const { before, after } = linesOf(textOf(older[field]), textOf(newer[field]));
          return (
            <tr key={field}>
              <td data-head={t.policies.versions.field}>{t.policies.fields[field] ?? field}</td>
              <td data-head={t.policies.versions.older}>
                <Lines side={before} changed="del" />
              </td>
              <td data-head={t.policies.versions.newer}>
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
