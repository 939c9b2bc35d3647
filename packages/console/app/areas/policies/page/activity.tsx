import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { Empty } from "../../../ui/states.js";
import { EventsOf } from "../../activity/events-of.js";
import type { Policy } from "../terms.js";

/** What the record tells of a policy. */
export function ActivityOf({ policy: { id } }: { readonly policy: Policy }) {
  const may = useMay();
  if (!may("ai-activity:read")) return <Empty title={t.policies.noActivity} />;
  return (
    <EventsOf
      type="ai_policy"
      id={id}
      read={(page, signal) =>
        client.GET("/api/v1/ai/activity/{subjectId}", { params: { path: { subjectId: id }, query: { page } }, signal })
      }
    />
  );
}
