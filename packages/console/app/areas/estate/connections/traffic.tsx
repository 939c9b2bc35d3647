import { useQuery } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { t } from "../../../texts/index.js";
import { Loaded } from "../../../ui/loaded.js";
import { Time } from "../../../ui/time.js";

const columns = t.connections.traffic_columns;

/** Calls of a day, span by span; spans without calls say nothing and are left out. */
export function Traffic({ id }: { readonly id: string }) {
  const trend = useQuery({
    queryKey: recordKey("connector_instance", id, "traffic"),
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { window: "24h" as const } };
      return (await client.GET("/api/v1/integrations/{id}/health/trend", { params, signal })).data;
    },
  });
  return (
    <Loaded query={trend}>
      {({ buckets }) => {
        const known = buckets.filter(({ worst }) => worst !== "none");
        return (
          <section>
            <h2>{t.connections.traffic}</h2>
            {known.length === 0 ? (
              <p>{t.connections.noTraffic}</p>
            ) : (
              <table className="data-table">
                <caption className="visually-hidden">{t.connections.traffic}</caption>
                <thead>
                  <tr>
                    {Object.entries(columns).map(([key, head]) => (
                      <th key={key} scope="col">
                        {head}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {known.map(({ from, ok, failed, p95 }) => (
                    <tr key={from}>
                      <td data-head={columns.from}>
                        <Time at={from} />
                      </td>
                      <td data-head={columns.worked}>{t.number(ok)}</td>
                      <td data-head={columns.failed}>
                        {t.number(Object.values(failed).reduce((sum, one) => sum + one, 0))}
                      </td>
                      <td data-head={columns.p95}>{p95 === null ? t.unknown : t.connections.milliseconds(p95)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </section>
        );
      }}
    </Loaded>
  );
}
