import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { ReasonedAct } from "../../../ui/reasoned-act.js";
import { Text } from "../../../ui/text.js";
import { type Assignment, canBeRevoked, type Usage } from "../terms.js";

const words = t.access.assignment;

interface RevokeProps {
  readonly assignment: Pick<Assignment, "id" | "name" | "assetId" | "status">;
  readonly usage: Pick<Usage, "total" | "days" | "usageState">;
  /** Whether it stands in a list, where its button needs a name of its own. */
  readonly isListed?: boolean;
}

/** Ends access, after it was shown what that may break. */
export function Revoke({ assignment, usage, isListed = false }: RevokeProps) {
  const { id, name } = assignment;
  const may = useMay();
  // What it may break is asked when somebody wants to know.
  const [isAsked, setAsked] = useState(false);
  return (
    <ReasonedAct
      label={words.revoke}
      {...(isListed ? { name: words.revokeOne(name) } : {})}
      title={words.revokes(name)}
      tone="danger"
      isShown={may("access-assignment:revoke") && canBeRevoked(assignment)}
      stale={["access_assignment"]}
      act={(body) => client.POST("/api/v1/access-assignments/{id}/revoke", { params: { path: { id } }, body })}
      onOpen={() => setAsked(true)}
    >
      {isAsked && <Breaks assignment={assignment} usage={usage} />}
    </ReasonedAct>
  );
}

/** How it was used, what of the agent runs now, and what depends on the agent. */
function Breaks({ assignment: { assetId }, usage: { total, days, usageState } }: RevokeProps) {
  const may = useMay();
  const query = { agentId: [assetId], status: ["active" as const], size: 1 };
  const running = useQuery({
    enabled: may("ai-session:read"),
    queryKey: recordKey("ai_asset", assetId, "running", query),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/ai/sessions", { params: { query }, signal })).data,
  });
  const impact = useQuery({
    enabled: may("ai-asset:read"),
    queryKey: recordKey("ai_asset", assetId, "impact"),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-assets/{id}/impact", { params: { path: { id: assetId } }, signal })).data,
  });
  const unseen = usageState === "unknown" ? words.useUnknown : words.notUsed;
  return (
    <section className="against" aria-label={words.breaks}>
      <h3>{words.breaks}</h3>
      <p>{total > 0 ? words.usedLately(total, days) : unseen}</p>
      {may("ai-session:read") && (
        <Loaded query={running}>
          {({ totalItems, totalRelation }) => <p>{words.running(totalItems, totalRelation !== "exact")}</p>}
        </Loaded>
      )}
      {may("ai-asset:read") && (
        <Loaded query={impact}>
          {({ items }) =>
            items.length > 0 && (
              <>
                <p>{words.depends}</p>
                <ul>
                  {items.map((one) => (
                    <li key={one.id}>
                      <Text>{one.name}</Text>
                    </li>
                  ))}
                </ul>
              </>
            )
          }
        </Loaded>
      )}
    </section>
  );
}
