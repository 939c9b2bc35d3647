import { t } from "../../texts/index.js";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Recovery codes, shown this once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <main className="sign-in">
      <div className="stack">
        <h1>{t.session.recovery.title}</h1>
        <p>{t.session.recovery.hint}</p>
        <ul className="plain">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <button type="button" className="primary" onClick={onDone}>
          {t.session.recovery.done}
        </button>
      </div>
    </main>
  );
}
