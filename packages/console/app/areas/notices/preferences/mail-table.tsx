import { t } from "../../../texts/index.js";
import { KINDS, type Preferences } from "../terms.js";

interface MailTableProps {
  readonly mail: Preferences["mail"];
  readonly onChange: (mail: Partial<Preferences["mail"]>) => void;
}

const words = t.notices.preferences;
const MODES = Object.keys(words.modes) as readonly (keyof typeof words.modes)[];

/** How each kind of notice is mailed. */
export function MailTable({ mail, onChange }: MailTableProps) {
  return (
    <div className="table-scroll">
      <table className="data-table">
        <caption className="visually-hidden">{words.mail}</caption>
        <thead>
          <tr>
            <th scope="col">{words.kind}</th>
            <th scope="col">{words.when}</th>
          </tr>
        </thead>
        <tbody>
          {KINDS.map((kind) => (
            <tr key={kind}>
              <th scope="row" data-head={words.kind}>
                {t.notices.kinds[kind]}
                <p className="muted small">{words.hints[kind]}</p>
              </th>
              <td data-head={words.when}>
                <select
                  aria-label={t.notices.kinds[kind]}
                  value={mail[kind]}
                  onChange={({ target }) => onChange({ [kind]: target.value })}
                >
                  {MODES.map((mode) => (
                    <option key={mode} value={mode}>
                      {words.modes[mode]}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
