import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { roleName, STATUS_TONES, type User } from "../terms.js";
import { FactorResets } from "./factor-resets.js";
import { PersonActs } from "./person-acts.js";

/** One person: roles, state, and what an administrator may do. */
export function PersonPage() {
  const { userId: id = "" } = useParams({ strict: false });
  const may = useMay();
  const user = useQuery({
    queryKey: recordKey("user", id),
    queryFn: async ({ signal }) => (await client.GET("/api/v1/users/{id}", { params: { path: { id } }, signal })).data,
  });
  return (
    <Loaded query={user}>
      {(data) => (
        <Page
          title={data.name}
          heading={<Text>{data.name}</Text>}
          actions={may("user:write") && <PersonActs user={data} />}
        >
          <DefinitionList items={factsOf(data)} />
          <p>
            <Link to="/activity" search={{ actor: id }}>
              {t.administration.toActivity}
            </Link>
          </p>
          <FactorResets user={data} />
        </Page>
      )}
    </Loaded>
  );
}

function factsOf({ username, roles, status, createdAt, updatedAt }: User) {
  const { columns, facts, states } = t.administration;
  return [
    [columns.username, <Text key="u">{username}</Text>],
    [columns.roles, <Text key="r">{roles.map(roleName).join(", ") || t.none}</Text>],
    [
      columns.status,
      <StatusBadge key="s" tone={STATUS_TONES[status]}>
        {states[status]}
      </StatusBadge>,
    ],
    [facts.created, <Time key="c" at={createdAt} />],
    [facts.changed, <Time key="g" at={updatedAt} />],
  ] as const;
}
