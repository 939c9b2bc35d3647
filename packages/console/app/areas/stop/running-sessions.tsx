import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMay } from "../../api/me.js";
import { namedOf, useNames } from "../../api/names.js";
import { t } from "../../texts/index.js";
import { Loaded } from "../../ui/loaded.js";
import { Empty } from "../../ui/states.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";
import { activeQuery } from "./queries.js";
import type { StopTarget } from "./stop-target.js";

/** Sessions that run, the newest first, each with what stops it. */
export function RunningSessions({ onStop }: { readonly onStop: (target: StopTarget) => void }) {
  const may = useMay();
  const active = useQuery(activeQuery);
  const names = useNames(active.data?.items.flatMap(({ agentId }) => agentId ?? []));
  const acts = (["suspend", "terminate"] as const).filter((act) => may(`ai-session:${act}`));
  return (
    <Loaded query={active}>
      {({ items, nextCursor }) =>
        items.length === 0 ? (
          <Empty title={t.stop.nothing} />
        ) : (
          <>
            <ul className="stop-list">
              {items.map(({ id, name, purpose, agentId, startedAt, usage }) => (
                <li key={id}>
                  <span className="stop-name">
                    <Text>{purpose ?? name}</Text>
                    {agentId !== null && (
                      <Link to="/estate/assets/$id" params={{ id: agentId }}>
                        <Text>{namedOf(names, agentId).name ?? t.stop.agent}</Text>
                      </Link>
                    )}
                    <span className="muted">
                      {t.stop.since} <Time at={startedAt} age /> {t.stop.spent(usage.costUsd)}
                    </span>
                  </span>
                  {acts.map((act) => (
                    <button
                      key={act}
                      type="button"
                      className={act === "terminate" ? "danger" : ""}
                      aria-label={t.stop.stopOne(t.stop[act], purpose ?? name)}
                      onClick={() => onStop({ act, id, name: purpose ?? name })}
                    >
                      {t.stop[act]}
                    </button>
                  ))}
                </li>
              ))}
            </ul>
            {nextCursor !== null && <p>{t.stop.cut}</p>}
          </>
        )
      }
    </Loaded>
  );
}
