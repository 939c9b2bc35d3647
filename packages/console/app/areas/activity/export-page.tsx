import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { t } from "../../texts/index.js";
import { DefinitionList } from "../../ui/definition-list.js";
import { Loaded } from "../../ui/loaded.js";
import { Page } from "../../ui/page.js";
import { Text } from "../../ui/text.js";
import { TextField } from "../../ui/text-field.js";
import { Time } from "../../ui/time.js";
import { useWork } from "../../work/use-works.js";
import type { Work } from "../../work/work.js";
import { WorkState } from "../../work/work-state.js";
import { beginWork, partsOfWork } from "../../work/works.js";
import { BEGIN, type Exporting, type ExportOf, type ExportSearch, exportOf } from "./export-slice.js";
import { type ActivitySearch, useActivitySearch } from "./search.js";
import { exporting } from "./works.js";

const FIELDS = [
  ["subject", "text"],
  ["from", "date"],
  ["to", "date"],
] as const;

/** Exports what happened to a subject in a span of time, with the proof that it is all of it. */
export function ExportPage() {
  const search = useActivitySearch();
  const navigate = useNavigate({ from: "/activity/export" });
  const key = fileNameOf(search);
  const work = useWork(exporting, key);
  const isRunning = work?.status === "running";
  const change = (name: keyof ActivitySearch, value: string) =>
    void navigate({ search: (before: object) => ({ ...before, [name]: value || undefined }), replace: true });
  return (
    <Page title={t.activity.export.title}>
      <p>
        <Link to="/activity" search={{ subject: search.subject, from: search.from, to: search.to }}>
          {t.activity.back}
        </Link>
      </p>
      <p>{t.activity.export.leads}</p>
      <form
        className="filter-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isRunning) void beginWork(exporting, { key, input: exportOf(search), state: BEGIN });
        }}
      >
        {FIELDS.map(([name, type]) => (
          <TextField
            key={name}
            label={t.activity.filters[name]}
            type={type}
            maxLength={200}
            value={search[name] ?? ""}
            onChange={(value) => change(name, value)}
          />
        ))}
        <label className="choice">
          <input
            type="checkbox"
            checked={search.alone !== undefined}
            onChange={(event) => change("alone", event.target.checked ? "yes" : "")}
          />
          {t.activity.export.alone}
        </label>
        <button type="submit" className="primary" aria-disabled={isRunning}>
          {t.activity.export.run}
        </button>
      </form>
      {search.alone !== undefined && <p className="muted">{t.activity.export.aloneMeans}</p>}
      {search.subject === undefined && <p className="muted">{t.activity.export.everything}</p>}
      {work && (
        <WorkState
          work={work}
          label={t.activity.export.running(work.state.events)}
          done={work.state.events}
          total={null}
          onClosing={exporting.onClosing}
        />
      )}
      {work?.status === "done" && <Ready key={work.id} work={work} />}
    </Page>
  );
}

function Ready({ work }: { readonly work: Work<ExportOf, Exporting> }) {
  const { events, shown, first, to, headHash } = work.state;
  const { done, facts, verify, between } = t.activity.export;
  const name = fileNameOf(work.input.search);
  const file = useQuery({
    queryKey: ["exported", work.id],
    queryFn: async () => new Blob([...(await partsOfWork(work.id))], { type: "application/x-ndjson" }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <section role="status" aria-label={done}>
      <h2>{done}</h2>
      <DefinitionList
        items={[
          [facts.events, t.number(events)],
          [facts.shown, t.number(shown)],
          [facts.span, events === 0 || first === null || to === null ? facts.none : between(first + 1, to)],
          [facts.head, <Text key="h">{headHash}</Text>],
          [facts.at, <Time key="t" at={work.endedAt} />],
        ]}
      />
      <Loaded query={file}>{(data) => <Save file={data} name={name} />}</Loaded>
      <p>{verify}</p>
      <pre className="data">
        {work.input.search.alone === undefined
          ? `npx @reeve/verify-chain ${name}`
          : `npx @reeve/verify-chain slice --key checkpoints.pem --html slice.html ${name}`}
      </pre>
    </section>
  );
}

function Save({ file, name }: { readonly file: Blob; readonly name: string }) {
  const href = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(href), [href]);
  return (
    <p>
      <a href={href} download={name}>
        {t.activity.export.save}
      </a>
    </p>
  );
}

const fileNameOf = ({ subject, from, to, alone }: ExportSearch) =>
  `${[alone === undefined ? "events" : "slice", subject, from, to]
    .filter((part) => part !== undefined)
    .join("_")
    .replaceAll(/[^\w.-]/g, "-")}.jsonl`;
