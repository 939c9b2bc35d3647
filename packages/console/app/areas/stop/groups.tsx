import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMay } from "../../api/me.js";
import { t } from "../../texts/index.js";
import { Loaded } from "../../ui/loaded.js";
import { Empty } from "../../ui/states.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { haltsQuery, runningQuery } from "./queries.js";
import type { StopTarget } from "./stop-target.js";

interface GroupsProps {
  readonly by: "team" | "mcp_server" | "model";
  readonly onStop: (target: StopTarget) => void;
}

interface Row {
  readonly key: string;
  readonly name: string | null;
  readonly assetId?: string;
  readonly agents: number;
  readonly active: number;
  /** Absent where one cannot stop it in one act. */
  readonly stop?: StopTarget;
}

/** What runs, by what its agents belong to or use, each with one button that stops all of it. */
export function Groups({ by, onStop }: GroupsProps) {
  const may = useMay();
  const running = useQuery(runningQuery);
  const halts = useQuery(haltsQuery).data?.items ?? [];
  const haltOf = (id: string) =>
    halts.find(({ target, scope }) => scope === "all_agents" || (scope === by && target === id));
  const isAllowed = may(by === "model" ? "ai-governance:suspend" : "ai-halt:start");
  const mayStopSessions = may("ai-session:terminate") || may("ai-session:suspend");
  return (
    <Loaded query={running}>
      {({ teams, servers, models, complete }) => {
        const rows: readonly Row[] =
          by === "team"
            ? teams.map(({ id, name, ...counts }) => ({
                ...{ key: id ?? "", name: id === null ? t.stop.noTeam : (name ?? id), ...counts },
                ...(id === null ? {} : { stop: { act: "halt", name: name ?? id, scope: "team", target: id } as const }),
              }))
            : by === "mcp_server"
              ? servers.map(({ id, name, ...counts }) => ({
                  ...{ key: id, assetId: id, name, ...counts },
                  stop: { act: "halt", name, scope: "mcp_server", target: id } as const,
                }))
              : models.map(({ id, name, version, ...counts }) => ({
                  ...{ key: id, assetId: id, name, ...counts },
                  stop: { act: "suspendModel", name, id, version } as const,
                }));
        if (rows.length === 0) return <Empty title={t.stop.nothing} />;
        return (
          <>
            {!isAllowed && mayStopSessions && <p className="muted">{t.stop.onlySessions[by]}</p>}
            <ul className="stop-list">
              {rows.map(({ key, name, assetId, agents, active, stop }) => (
                <li key={key}>
                  <span className="stop-name">
                    {assetId ? (
                      <Link to="/estate/assets/$id" params={{ id: assetId }}>
                        <Text>{name}</Text>
                      </Link>
                    ) : (
                      <Text>{name}</Text>
                    )}
                    <span className="muted">{t.stop.running(active, agents)}</span>
                    {haltOf(key) && <StatusBadge tone="bad">{t.stop.isHalted}</StatusBadge>}
                  </span>
                  {stop && isAllowed && !haltOf(key) && (
                    <button
                      type="button"
                      className="danger"
                      aria-label={t.stop.stopOne(t.stop[stop.act], name ?? "")}
                      onClick={() => onStop(stop)}
                    >
                      {t.stop[stop.act]}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {!complete && <p>{t.stop.cut}</p>}
          </>
        );
      }}
    </Loaded>
  );
}
