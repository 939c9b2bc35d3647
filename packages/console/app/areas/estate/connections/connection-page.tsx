import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { client } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Failed } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { connectionQuery } from "./connection-query.js";
import { Imports } from "./imports.js";
import { type Connection, HEALTH_TONES } from "./terms.js";
import { Tests } from "./tests.js";
import { Traffic } from "./traffic.js";

const { facts } = t.connections;

/** A connection: how it works, its tests and calls, and imports from it. Secrets are named and never shown. */
export function ConnectionPage() {
  const { connectionId: id = "" } = useParams({ strict: false });
  const connection = useQuery(connectionQuery(id));
  const may = useMay();
  return (
    <Loaded query={connection}>
      {(data) => (
        <Page
          title={data.name}
          heading={<Text>{data.name}</Text>}
          actions={
            may("connector:write") && (
              <Link to="/estate/connections/$connectionId/settings" params={{ connectionId: id }}>
                {t.connections.settings.edit}
              </Link>
            )
          }
        >
          <DefinitionList items={factsOf(data)} />
          <TestNow id={id} />
          <Tests id={id} />
          <Traffic id={id} />
          <Imports id={id} />
        </Page>
      )}
    </Loaded>
  );
}

const factsOf = (connection: Connection) =>
  [
    [facts.connector, <Text key="c">{connection.providerKey}</Text>],
    [facts.status, t.connections.states[connection.status]],
    [
      facts.health,
      <StatusBadge key="h" tone={HEALTH_TONES[connection.health]}>
        {t.connections.healths[connection.health]}
      </StatusBadge>,
    ],
    [facts.since, <Time key="s" at={connection.healthSince} />],
    [facts.error, connection.healthReason ? <Text key="e">{connection.healthReason.message}</Text> : t.none],
    [facts.checked, <Time key="t" at={connection.lastCheckAt} absent={t.time.never} />],
    [facts.system, connection.target ? <Text key="y">{connection.target.name}</Text> : t.unknown],
    [facts.mode, t.connections.modes[connection.governanceMode]],
    [
      facts.secrets,
      <Text key="x">
        {Object.entries(connection.secrets)
          .map(([name, { set }]) => t.connections.secret(name, set))
          .join(", ") || t.none}
      </Text>,
    ],
  ] as const;

/** Tests the connection, which changes nothing in the system. */
function TestNow({ id }: { readonly id: string }) {
  const may = useMay();
  const cache = useQueryClient();
  const test = useMutation({
    mutationFn: () => client.POST("/api/v1/integrations/{id}/diagnostics/run", { params: { path: { id } } }),
    onSettled: () => cache.invalidateQueries({ queryKey: ["connector_instance"] }),
  });
  if (!may("connector:write")) return null;
  return (
    <>
      <button type="button" aria-disabled={test.isPending} onClick={() => test.isPending || test.mutate()}>
        {t.connections.test}
      </button>
      {test.isError && <Failed error={test.error} />}
    </>
  );
}
