import { t } from "../../texts/index.js";
import { Text } from "../../ui/text.js";
import type { Drift } from "./server-query.js";

const words = t.estate.server;

/** What changed of each thing that a server offers, before and after side by side. */
export function DriftTable({ items }: { readonly items: Drift["items"] }) {
  if (items.length === 0) return <p>{words.noDrift}</p>;
  return (
    <table className="data-table">
      <caption className="visually-hidden">{words.drift}</caption>
      <thead>
        <tr>
          <th scope="col">{words.what}</th>
          <th scope="col">{words.change}</th>
          <th scope="col">{words.severity}</th>
          <th scope="col">{words.before}</th>
          <th scope="col">{words.after}</th>
        </tr>
      </thead>
      <tbody>
        {items.flatMap(({ kind, name, change, severity, changes }) =>
          (changes.length > 0 ? changes : [undefined]).map((each) => (
            <tr key={`${kind} ${name} ${each?.pointer ?? ""}`}>
              <td data-head={words.what}>
                {words.kinds[kind]} <Text>{name}</Text>
                {each && <div className="muted small">{each.pointer}</div>}
              </td>
              <td data-head={words.change}>{words.changes[change]}</td>
              <td data-head={words.severity}>{t.estate.severities[each?.severity ?? severity]}</td>
              <td data-head={words.before} className="diff-before">
                {each?.before ? <Text>{each.before}</Text> : t.none}
              </td>
              <td data-head={words.after} className="diff-after">
                {each?.after ? <Text>{each.after}</Text> : t.none}
              </td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}
