import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { recordKey } from "../../api/keys.js";
import { idsIn, namedOf, useNames } from "../../api/names.js";
import { t } from "../../texts/index.js";
import { DataTable, type ListPage } from "../data-table.js";
import { Field } from "../field.js";
import { Loaded } from "../loaded.js";
import { Person } from "../person.js";
import { Time } from "../time.js";
import { Difference } from "./difference.js";
import type { versionsSearchOf } from "./search.js";

const words = t.versions;
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const SIZE = 50;

/** What every list of versions tells of each. */
interface Version {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly changed: readonly string[] | null;
}

interface VersionsProps<V extends Version> {
  /** The type of the record, by which the list is kept up to date. */
  readonly type: string;
  readonly id: string;
  /** Reads a page of versions, by the operation of the record. */
  readonly list: (query: { page: number; size: number }, signal: AbortSignal) => Promise<{ data: ListPage<V> }>;
  readonly read: (versionId: string, signal: AbortSignal) => Promise<{ data: object }>;
  /** Names of the fields that are compared. */
  readonly fields: Readonly<Record<string, string>>;
  /** A version as a choice, made at a moment in words. */
  readonly optionOf: (version: V, at: string) => string;
  /** What is shown of a version first. */
  readonly lead: { readonly head: string; readonly cell: (version: V) => ReactNode };
}

/** The versions of a record, and the difference of two of them. */
export function VersionsOf<V extends Version>(props: VersionsProps<V>) {
  const { type, id, list, fields, lead } = props;
  const [page, setPage] = useState(0);
  const versions = useQuery({
    queryKey: recordKey(type, id, "versions", { page }),
    queryFn: async ({ signal }) => (await list({ page, size: SIZE }, signal)).data,
  });
  const names = useNames(versions.data?.items.map(({ by }) => by));
  return (
    <Loaded query={versions}>
      {(data) => (
        <>
          <Compare {...props} versions={data.items} />
          <h2>{words.title}</h2>
          <DataTable
            caption={words.title}
            page={data}
            rowKey={(version) => version.id}
            empty={<p>{words.unknown}</p>}
            onPage={setPage}
            columns={[
              { key: "lead", ...lead },
              { key: "at", head: words.at, cell: ({ at }) => <Time at={at} /> },
              { key: "by", head: words.by, cell: ({ by }) => <Person person={namedOf(names, by)} /> },
              {
                key: "changed",
                head: words.changed,
                cell: ({ changed }) =>
                  changed === null ? words.first : changed.map((field) => fields[field] ?? field).join(", "),
              },
            ]}
          />
          {data.nextCursor === null && data.items.at(-1)?.changed && <p className="muted">{words.unknown}</p>}
        </>
      )}
    </Loaded>
  );
}

interface CompareProps<V extends Version> extends VersionsProps<V> {
  readonly versions: readonly V[];
}

/** Two versions side by side. Which ones stands in the address; the newest two unless it says others. */
function Compare<V extends Version>({ versions, optionOf, ...props }: CompareProps<V>) {
  const search: ReturnType<typeof versionsSearchOf> = useSearch({ strict: false });
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
                {versions.map((version) => (
                  <option key={version.id} value={version.id}>
                    {optionOf(version, moment.format(new Date(version.at)))}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ))}
      </div>
      {older && newer ? <Compared {...props} older={older} newer={newer} /> : <p>{words.choose}</p>}
    </section>
  );
}

type ComparedProps = Pick<VersionsProps<Version>, "type" | "id" | "read" | "fields"> & {
  readonly older: string;
  readonly newer: string;
};

function Compared({ fields, older: olderId, newer: newerId, ...props }: ComparedProps) {
  const older = useVersion(props, olderId);
  const newer = useVersion(props, newerId);
  const names = useNames(idsIn([older.data, newer.data]));
  return (
    <Loaded query={older}>
      {(before) => (
        <Loaded query={newer}>
          {(after) => <Difference label={words.compare} older={before} newer={after} fields={fields} names={names} />}
        </Loaded>
      )}
    </Loaded>
  );
}

function useVersion({ type, id, read }: Pick<ComparedProps, "type" | "id" | "read">, versionId: string) {
  return useQuery({
    queryKey: recordKey(type, id, "version", { versionId }),
    queryFn: async ({ signal }) => (await read(versionId, signal)).data as Readonly<Record<string, unknown>>,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
