import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client, type components } from "../../../api/client.js";
import { figureKey, recordKey } from "../../../api/keys.js";
import { fieldFault } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { DefinitionList } from "../../../ui/definition-list.js";
import { Field } from "../../../ui/field.js";
import { Loaded } from "../../../ui/loaded.js";
import { Failed } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { Choice } from "../choice.js";
import type { AskSearch } from "../search.js";

const words = t.access.ask;
type Profile = components["schemas"]["AccessProfile"];

interface AskForProps {
  readonly asset: string;
  readonly target: string;
  readonly search: AskSearch;
  readonly change: (changed: Partial<AskSearch>) => void;
}

const byName = <One extends { readonly name: string }>(some: readonly One[]): One[] =>
  [...some].sort((one, other) => one.name.localeCompare(other.name));

/** Which access in a system: its kind, and what follows from that. */
export function AskFor(props: AskForProps) {
  const { target, search, change } = props;
  const path = { connectorInstanceId: target };
  const profiles = useQuery({
    queryKey: recordKey("access_profile", target, "approved"),
    queryFn: async ({ signal }) => {
      const query = { status: ["approved" as const], size: 100 };
      return (
        await client.GET("/api/v1/access-targets/{connectorInstanceId}/access-profiles", {
          params: { path, query },
          signal,
        })
      ).data;
    },
  });
  return (
    <Loaded query={profiles}>
      {({ items }) => {
        const offered = byName(items.filter(({ requestable }) => requestable));
        const profile = offered.find(({ id }) => id === search.profile);
        if (offered.length === 0) return <p>{words.noProfiles}</p>;
        return (
          <>
            <Choice
              label={words.profile}
              options={offered.map(({ id, name }) => ({ value: id, label: name }))}
              value={search.profile}
              onChange={(chosen) => change({ profile: chosen, resource: undefined })}
            />
            {profile && <OfProfile key={profile.id} {...props} profile={profile} />}
          </>
        );
      }}
    </Loaded>
  );
}

/** What a kind of access permits, to what it can be had, and the request. */
function OfProfile(props: AskForProps & { readonly profile: Profile }) {
  const { profile, target, search, change } = props;
  const resources = useQuery({
    queryKey: recordKey("access_resource", target, profile.resourceType),
    queryFn: async ({ signal }) => {
      const path = { connectorInstanceId: target };
      const query = {
        ...{ resourceType: [profile.resourceType], status: ["active" as const] },
        size: 100,
      };
      return (
        await client.GET("/api/v1/access-targets/{connectorInstanceId}/resources", { params: { path, query }, signal })
      ).data;
    },
  });
  const resource = profile.resourceId ?? search.resource;
  return (
    <>
      <DefinitionList
        items={[
          [
            words.permissions,
            <Text key="p">{[profile.description, ...profile.permissions].filter(Boolean).join(", ")}</Text>,
          ],
          [words.risk, words.risks[profile.riskLevel]],
          [words.most, profile.maxDuration],
        ]}
      />
      {profile.resourceId === null && (
        <Loaded query={resources}>
          {({ items }) => (
            <Choice
              label={words.resource}
              options={byName(items).map(({ id, name }) => ({ value: id, label: name }))}
              value={search.resource}
              onChange={(chosen) => change({ resource: chosen })}
            />
          )}
        </Loaded>
      )}
      {resource && <Send {...props} resource={resource} />}
    </>
  );
}

/** For how long and why, what would follow, and the button that asks. */
function Send({
  asset,
  target,
  profile,
  resource,
}: AskForProps & { readonly profile: Profile; readonly resource: string }) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [days, setDays] = useState("");
  const [reason, setReason] = useState("");
  const path = { assetId: asset };
  const body = {
    connectorInstanceId: target,
    items: [{ accessProfileId: profile.id, resourceId: resource }],
    ...(days === "" ? {} : { duration: `P${days}D` }),
  };
  const preview = useQuery({
    queryKey: figureKey("access-preview", ["access_request", "access_profile"], { asset, ...body }),
    queryFn: async ({ signal }) =>
      (await client.POST("/api/v1/ai-assets/{assetId}/access-requests/preview", { params: { path }, body, signal }))
        .data,
  });
  const ask = useMutation({
    mutationFn: async () =>
      (
        await client.POST("/api/v1/ai-assets/{assetId}/access-requests", {
          params: { path },
          body: { ...body, ...(reason === "" ? {} : { reason }) },
        })
      ).data,
    onSuccess: async ({ id }) => {
      await cache.invalidateQueries({ queryKey: ["access_request"] });
      await navigate({ to: "/access/requests/$requestId", params: { requestId: id } });
    },
  });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!ask.isPending) ask.mutate();
      }}
    >
      <Field label={words.days} hint={words.daysHint} fault={fieldFault(preview.error, "/duration")}>
        {(ids) => (
          <input
            {...ids}
            type="number"
            min={1}
            max={3_650}
            value={days}
            onChange={({ target: { value } }) => setDays(value)}
          />
        )}
      </Field>
      <Field label={words.reason} fault={fieldFault(ask.error, "/reason")}>
        {(ids) => (
          <textarea
            {...ids}
            rows={2}
            maxLength={2_000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      <section aria-label={words.preview}>
        <h2>{words.preview}</h2>
        <Loaded query={preview}>
          {({ wouldAllow, decision, explanations, rounds, maxDuration }) => (
            <>
              {wouldAllow.map((one) => (
                <p key={one}>
                  <Text>{one}</Text>
                </p>
              ))}
              <p>{words.takes[decision]}</p>
              {rounds.length > 0 && <p>{words.rounds(rounds.join(", "))}</p>}
              <p className="muted">{words.longest(maxDuration)}</p>
              <ul className="muted small">
                {explanations.map((one) => (
                  <li key={one}>
                    <Text>{one}</Text>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Loaded>
      </section>
      {ask.isError && <Failed error={ask.error} />}
      <div>
        <button type="submit" className="primary" disabled={!preview.isSuccess || preview.isError || ask.isPending}>
          {words.send}
        </button>
      </div>
    </form>
  );
}
