import { useQuery } from "@tanstack/react-query";
import { client } from "../../api/client.js";
import { recordKey } from "../../api/keys.js";
import { t } from "../../texts/index.js";
import { Loaded } from "../../ui/loaded.js";
import { StatusBadge } from "../../ui/status-badge.js";
import { Text } from "../../ui/text.js";
import { Time } from "../../ui/time.js";

/** What people did about a finding, the newest first. */
export function FindingReviews({ id }: { readonly id: string }) {
  const reviews = useQuery({
    queryKey: recordKey("finding", id, "reviews"),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-governance/findings/{id}/reviews", { params: { path: { id } }, signal })).data,
  });
  return (
    <section>
      <h2>{t.findings.history}</h2>
      <Loaded query={reviews}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{t.findings.noHistory}</p>
          ) : (
            <ol className="timeline">
              {items.map((review) => (
                <li key={review.id}>
                  <Time at={review.createdAt} /> <Text>{review.name}</Text>
                  {review.outcome === "awaiting_four_eyes" && (
                    <StatusBadge tone="busy">{t.findings.awaiting}</StatusBadge>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </section>
  );
}
