import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { Field } from "../../../ui/field.js";
import { Loaded } from "../../../ui/loaded.js";
import { Page } from "../../../ui/page.js";
import { Empty } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { connectionQuery } from "../connections/connection-query.js";
import { ConnectionForm } from "./connection-form.js";

const words = t.connections.settings;

/** Sets up a connection with one of the connectors that the tenant lets be used. */
export function NewConnectionPage() {
  const [providerKey, setProviderKey] = useState("");
  const connectors = useQuery({
    queryKey: ["connector", "enabled"],
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/connectors/enabled", { params: { query: { size: 100 } }, signal })).data.items,
  });
  return (
    <Page title={words.create}>
      <div className="settings">
        <Loaded query={connectors}>
          {(all) =>
            all.length === 0 ? (
              <Empty {...words.noConnectors} />
            ) : (
              <Field label={t.connections.facts.connector}>
                {(ids) => (
                  <select {...ids} value={providerKey} onChange={({ target }) => setProviderKey(target.value)}>
                    <option value="">{words.choose}</option>
                    {all.map((one) => (
                      <option key={one.providerKey} value={one.providerKey}>
                        {one.displayName}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            )
          }
        </Loaded>
        {connectors.data
          ?.filter((one) => one.providerKey === providerKey)
          .map(({ description }) => (
            <p key="about">
              <Text>{description}</Text>
            </p>
          ))}
      </div>
      {providerKey && <ConnectionForm providerKey={providerKey} />}
    </Page>
  );
}

/** Changes how a connection is set up. */
export function EditConnectionPage() {
  const { connectionId: id = "" } = useParams({ strict: false });
  const connection = useQuery(connectionQuery(id));
  return (
    <Loaded query={connection}>
      {(data) => (
        <Page title={words.edits(data.name)} heading={<Text>{words.edits(data.name)}</Text>}>
          <ConnectionForm key={data.id} providerKey={data.providerKey} connection={data} />
        </Page>
      )}
    </Loaded>
  );
}
