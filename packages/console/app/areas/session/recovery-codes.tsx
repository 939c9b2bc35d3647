import { t } from "../../texts/index.js";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** The level of the heading: that of the page, or of a part of it. */
  readonly heading: "h1" | "h2";
  readonly onDone: () => void;
}

/** Recovery codes, shown this once. */
export function RecoveryCodes({ codes, heading: Heading, onDone }: RecoveryCodesProps) {
  return (
    <div className="stack">
      <Heading>{t.session.recovery.title}</Heading>
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
  );
}
