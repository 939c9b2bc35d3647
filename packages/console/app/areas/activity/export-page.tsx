import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { t } from "../../texts/index.js";
import { DefinitionList } from "../../ui/definition-list.js";
import { Page } from "../../ui/page.js";
import { Progress } from "../../ui/progress.js";
import { Failed } from "../../ui/states.js";
import { Text } from "../../ui/text.js";
import { TextField } from "../../ui/text-field.js";
import { type Exported, exportSlice } from "./export-slice.js";
import { type ActivitySearch, useActivitySearch } from "./search.js";

const FIELDS = [
  ["subject", "text"],
  ["from", "date"],
  ["to", "date"],
] as const;

/** Exports what happened to a subject in a span of time, with the proof that it is all of it. */
export function ExportPage() {
  const search = useActivitySearch();
  const navigate = useNavigate({ from: "/activity/export" });
  const [events, setEvents] = useState(0);
  const run = useMutation({ mutationFn: (of: ActivitySearch) => exportSlice(of, setEvents) });
  const change = (name: keyof ActivitySearch, value: string) => {
    run.reset();
    void navigate({ search: (before: object) => ({ ...before, [name]: value || undefined }), replace: true });
  };
  return (
    <Page title={t.activity.export.title}>
      <p>{t.activity.export.leads}</p>
      <form
        className="filter-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!run.isPending) run.mutate(search);
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
        <button type="submit" className="primary" aria-disabled={run.isPending}>
          {t.activity.export.run}
        </button>
      </form>
      {search.subject === undefined && <p className="muted">{t.activity.export.everything}</p>}
      {run.isPending && <Progress label={t.activity.export.running(events)} done={events} total={null} />}
      {run.isError && <Failed error={run.error} />}
      {run.data && <Ready exported={run.data} name={fileNameOf(search)} />}
    </Page>
  );
}

function Ready({ exported, name }: { readonly exported: Exported; readonly name: string }) {
  const { file, events, shown, after, to, headHash } = exported;
  const href = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(href), [href]);
  const { done, save, facts, verify, between } = t.activity.export;
  return (
    <section role="status" aria-label={done}>
      <h2>{done}</h2>
      <DefinitionList
        items={[
          [facts.events, t.number(events)],
          [facts.shown, t.number(shown)],
          [facts.span, events === 0 ? facts.none : between(after + 1, to)],
          [facts.head, <Text key="h">{headHash}</Text>],
        ]}
      />
      <p>
        <a href={href} download={name}>
          {save}
        </a>
      </p>
      <p>{verify}</p>
      <pre className="data">{`npx @reeve/verify-chain ${name}`}</pre>
    </section>
  );
}

const fileNameOf = ({ subject, from, to }: ActivitySearch) =>
  `${["events", subject, from, to]
    .filter((part) => part !== undefined)
    .join("_")
    .replaceAll(/[^\w.-]/g, "-")}.jsonl`;
