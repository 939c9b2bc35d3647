import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { Loaded } from "../../ui/loaded.js";
import { Text } from "../../ui/text.js";
import { haltsQuery } from "./queries.js";
import type { StopTarget } from "./stop-target.js";
import { Who } from "./who.js";

/** What is halted, since when and why, and who has asked to lift it. */
export function Halts({ onLift }: { readonly onLift: (target: StopTarget) => void }) {
  const may = useMay();
  const halts = useQuery(haltsQuery);
  return (
    <section aria-label={t.stop.halts}>
      <h2>{t.stop.halts}</h2>
      <Loaded query={halts}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{t.stop.noHalts}</p>
          ) : (
            <ul className="stop-list">
              {items.map(({ id, scope, target, name, reason, createdAt, createdBy, liftRequest }) => (
                <li key={id}>
                  <span className="stop-name">
                    <Text>{t.stop.scoped(t.stop.scopes[scope], target)}</Text>
                    <span className="muted">
                      {t.stop.halted} <Who id={createdBy} at={createdAt} />
                    </span>
                    <Text>{reason}</Text>
                    {liftRequest && <span>{t.stop.waitsForSecond}</span>}
                  </span>
                  {may("ai-halt:lift") && (
                    <button
                      type="button"
                      aria-label={t.stop.stopOne(t.stop.lift, target ?? t.stop.all)}
                      onClick={() => onLift({ act: "lift", id, name })}
                    >
                      {t.stop.lift}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
