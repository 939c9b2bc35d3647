import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { ASSIGNMENT_TONES, type Assignment, USAGE_TONES, type Usage } from "../terms.js";
import { Revoke } from "./revoke.js";
import { UsePicture } from "./use-picture.js";

const DAYS = 90;
const { facts, yes, no } = t.access.assignment;

/** One access: who has it, whether it is in force, how it is used, and its end. */
export function AssignmentPage() {
  const { assignmentId: id = "" } = useParams({ strict: false });
  const assignment = useQuery({
    queryKey: recordKey("access_assignment", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/access-assignments/{id}", { params: { path: { id } }, signal })).data,
  });
  const usage = useQuery({
    queryKey: recordKey("access_assignment", id, "usage", { days: DAYS }),
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { days: DAYS } };
      return (await client.GET("/api/v1/access-assignments/{id}/usage", { params, signal })).data;
    },
  });
  return (
    <Loaded query={assignment}>
      {(one) => (
        <Loaded query={usage}>
          {(used) => (
            <Page title={one.name} heading={<Text>{one.name}</Text>} actions={<Revoke assignment={one} usage={used} />}>
              <Facts one={one} usage={used} />
              <UsePicture usage={used} />
            </Page>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function Facts({ one, usage }: { readonly one: Assignment; readonly usage: Usage }) {
  const { status, principal, effective, ineffectiveBecause, targetState, activatedAt, expiresAt, isPermanent } = one;
  return (
    <DefinitionList
      items={[
        [
          facts.who,
          <Link key="w" to="/estate/assets/$id" params={{ id: one.assetId }}>
            <Text>{principal.displayName ?? principal.externalId}</Text>
          </Link>,
        ],
        [
          facts.status,
          <StatusBadge key="s" tone={ASSIGNMENT_TONES[status]}>
            {t.access.assignmentStates[status]}
          </StatusBadge>,
        ],
        [facts.inForce, effective ? yes : <Text key="i">{no(ineffectiveBecause.join(" "))}</Text>],
        [
          facts.seen,
          <StatusBadge
            key="t"
            tone={targetState === "unknown" ? "unknown" : targetState === "present" ? "good" : "warning"}
          >
            {t.access.seen[targetState]}
          </StatusBadge>,
        ],
        [facts.since, <Time key="a" at={activatedAt} />],
        [facts.ends, <Time key="e" at={expiresAt} absent={isPermanent ? t.access.assignments.noEnd : t.unknown} />],
        [
          facts.usage,
          <span key="u">
            <StatusBadge tone={USAGE_TONES[usage.usageState]}>{t.access.usage[usage.usageState]}</StatusBadge>{" "}
            {usage.unknownBecause.map((because) => t.access.assignment.because[because]).join(" ")}
          </span>,
        ],
        [facts.last, <Time key="l" at={usage.lastUsedAt} absent={t.access.assignments.never} />],
      ]}
    />
  );
}
