import { useQuery } from "@tanstack/react-query";
import { t } from "../../texts/index.js";
import { Loaded } from "../../ui/loaded.js";
import { StatusBadge, type Tone } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { type Session, stoppedQuery, unconfirmedQuery } from "./queries.js";
import { Who } from "./who.js";

const TONES: Readonly<Record<Session["enforcement"]["state"], Tone>> = {
  ...{ not_required: "neutral", pending: "busy", confirmed: "good" },
  ...{ partial: "warning", unconfirmed: "bad", failed: "bad" },
};

/** What was stopped, and which gateways have confirmed it. */
export function Confirmations() {
  const stopped = useQuery(stoppedQuery);
  const ended = useQuery(unconfirmedQuery);
  return (
    <section aria-label={t.stop.stopped}>
      <h2>{t.stop.stopped}</h2>
      <p className="muted">{t.stop.haltsNeedNone}</p>
      <Loaded query={stopped}>
        {({ items }) => {
          const all = [...items, ...(ended.data?.items ?? [])];
          if (all.length === 0) return <p className="muted">{t.stop.noneStopped}</p>;
          return (
            <ul className="stop-list">
              {all.map(({ id, name, purpose, status, control, enforcement: { state, peps } }) => (
                <li key={id}>
                  <span className="stop-name">
                    <Text>{purpose ?? name}</Text>
                    <span className="muted">{t.stop.sessionStates[status]}</span>
                    {control && (
                      <span className="muted">
                        {t.stop.decisions[control.requested]} <Who id={control.by} at={control.at} />
                      </span>
                    )}
                    {control && <Text>{control.reason ?? t.stop.noReason}</Text>}
                  </span>
                  <StatusBadge tone={TONES[state]}>{t.stop.enforcement[state]}</StatusBadge>
                  {peps.map((point) => (
                    <span key={point.id} className="muted">
                      <Text>{point.id}</Text> {point.outcome ? t.stop.outcomes[point.outcome] : t.stop.silent}
                    </span>
                  ))}
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}
