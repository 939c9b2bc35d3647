import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client, type components } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";
import { t } from "../../../texts/index.js";
import { DataTable } from "../../../ui/data-table.js";
import { Field } from "../../../ui/field.js";
import { Loaded } from "../../../ui/loaded.js";
import { Text } from "../../../ui/text.js";
import { Time } from "../../../ui/time.js";
import { usePolicySearch } from "../search.js";
import type { Policy } from "../terms.js";
import { Difference } from "./difference.js";

type Version = components["schemas"]["PolicyVersion"];

const words = t.policies.versions;
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const SIZE = 50;

/** The versions of a policy, and the difference of two of them. */
export function VersionsOf({ policy: { id } }: { readonly policy: Policy }) {
  const [page, setPage] = useState(0);
  const list = useQuery({
    queryKey: recordKey("ai_policy", id, "versions", { page }),
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { page, size: SIZE } };
      return (await client.GET("/api/v1/ai-governance/policies/{id}/versions", { params, signal })).data;
    },
  });
  return (
    <Loaded query={list}>
      {(data) => (
        <>
          <Compare id={id} versions={data.items} />
          <h2>{words.title}</h2>
          <DataTable
            caption={words.title}
            page={data}
            rowKey={(version) => version.id}
            empty={<p>{words.unknown}</p>}
            onPage={setPage}
            columns={[
              { key: "revision", head: words.revision, cell: ({ revision }) => t.number(revision) },
              { key: "at", head: words.at, cell: ({ at }) => <Time at={at} /> },
              { key: "by", head: words.by, cell: ({ by }) => <Text>{by}</Text> },
              {
                key: "changed",
                head: words.changed,
                cell: ({ changed }) =>
                  changed === null ? words.first : changed.map((field) => t.policies.fields[field] ?? field).join(", "),
              },
            ]}
          />
          {data.nextCursor === null && data.items.at(-1)?.changed && <p className="muted">{words.unknown}</p>}
        </>
      )}
    </Loaded>
  );
}

/** Two versions side by side. Which ones stands in the address; the newest two unless it says others. */
function Compare({ id, versions }: { readonly id: string; readonly versions: readonly Version[] }) {
  const search = usePolicySearch();
  const navigate = useNavigate();
  const newer = search.newer ?? versions[0]?.id;
  const older = search.older ?? versions[1]?.id;
  const choose = (key: "older" | "newer", value: string) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, [key]: value }), replace: true });
  const choices = { older, newer } as const;
  if (versions.length < 2 && search.older === undefined) return null;
  return (
    <section>
      <h2>{words.compare}</h2>
      <div className="facets">
        {(["older", "newer"] as const).map((key) => (
          <Field key={key} label={words[key]}>
            {(ids) => (
              <select {...ids} value={choices[key]} onChange={({ target }) => choose(key, target.value)}>
                {versions.map(({ id: value, revision, at }) => (
                  <option key={value} value={value}>
                    {words.optionOf(revision, moment.format(new Date(at)))}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ))}
      </div>
      {older && newer ? <Compared id={id} older={older} newer={newer} /> : <p>{words.choose}</p>}
    </section>
  );
}

function useVersion(id: string, versionId: string) {
  return useQuery({
    queryKey: recordKey("ai_policy", id, "version", { versionId }),
    queryFn: async ({ signal }) => {
      const params = { path: { id, versionId } };
      return (await client.GET("/api/v1/ai-governance/policies/{id}/versions/{versionId}", { params, signal })).data;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function Compared({ id, ...chosen }: { readonly id: string; readonly older: string; readonly newer: string }) {
  const older = useVersion(id, chosen.older);
  const newer = useVersion(id, chosen.newer);
  return (
    <Loaded query={older}>
      {(before) => (
        <Loaded query={newer}>
          {(after) => (
            <Difference label={words.compare} older={before} newer={after} fields={Object.keys(t.policies.fields)} />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
