import { t } from "../../../texts/index.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";

/** A secret that was made just now. */
export interface Issued {
  readonly name: string;
  readonly secret: string;
  /** Until when the one before signs too. */
  readonly overlapEndsAt?: string;
}

const words = t.webhooks.secret;

/** Shows a secret this once, until one says that it was kept. */
export function Secret({ issued, onDone }: { readonly issued: Issued | undefined; readonly onDone: () => void }) {
  return (
    <div role="status">
      {issued && (
        <div className="stack">
          <h2>
            <Text>{words.title(issued.name)}</Text>
          </h2>
          <p>{words.once}</p>
          <pre className="data">{issued.secret}</pre>
          {issued.overlapEndsAt && (
            <p>
              {words.overlap} <Time at={issued.overlapEndsAt} />
            </p>
          )}
          <div>
            <button type="button" onClick={onDone}>
              {words.kept}
            </button>
          </div>
        </div>
      )}
    </div>
  );
}
