import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client, type components } from "../../../api/client.js";
import { useMay } from "../../../api/me.js";
import { fieldFault } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { type Column, DataTable, pageOfAll } from "../../../ui/data-table.js";
import { Page } from "../../../ui/page.js";
import { Empty, Failed } from "../../../ui/states.js";
import { Text } from "../../../ui/text.js";
import { TextField } from "../../../ui/text-field.js";
import { ProviderNav } from "../provider-nav.js";

const words = t.provider.sql;
const ROWS = 50;

type Result = components["schemas"]["SqlResult"];
type Values = components["schemas"]["SqlRun"]["configuration"]["parameters"];

/** One reading question in SQL across tenants, with its reason, and the rows that answer it. */
export function SqlPage() {
  const mayAsk = useMay()("support:sql");
  const [statement, setStatement] = useState("");
  const [values, setValues] = useState("");
  const [reason, setReason] = useState("");
  const run = useMutation({
    mutationFn: async () => {
      const configuration = { statement, ...(values === "" ? {} : { parameters: parsed(values) }) };
      return (await client.POST("/api/v1/support/sql", { body: { configuration, reason } as never })).data;
    },
  });
  const ask = (event: FormEvent) => {
    event.preventDefault();
    if (!run.isPending) run.mutate();
  };
  return (
    <Page title={words.title}>
      <ProviderNav />
      <p>{words.about}</p>
      {mayAsk ? (
        <form onSubmit={ask}>
          <TextField
            label={words.statement}
            hint={words.statementHint}
            fault={fieldFault(run.error, "/configuration/statement")}
            rows={6}
            required
            maxLength={20_000}
            value={statement}
            onChange={setStatement}
          />
          <TextField label={words.values} hint={words.valuesHint} value={values} onChange={setValues} />
          <TextField
            label={t.reason.label}
            hint={t.reason.required}
            required
            minLength={10}
            maxLength={2000}
            value={reason}
            onChange={setReason}
          />
          <button type="submit" className="primary" aria-disabled={run.isPending}>
            {run.isPending ? words.asking : words.ask}
          </button>
        </form>
      ) : (
        <p>{words.mayNot}</p>
      )}
      {run.isError && <Failed error={run.error} />}
      {run.data && <Answer key={run.submittedAt} result={run.data} />}
    </Page>
  );
}

function parsed(text: string): Values {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Error(words.noList);
  }
  if (!Array.isArray(given)) throw new Error(words.noList);
  return given;
}

/** The rows of an answer, and whether there were more. */
function Answer({ result: { columns, rows, rowCount, truncated, durationMs } }: { readonly result: Result }) {
  const [page, setPage] = useState(0);
  const numbered = rows.map((row, at) => ({ at, row }));
  const shown = columns.map(
    (name, place): Column<(typeof numbered)[number]> => ({
      key: `${place} ${name}`,
      head: name,
      cell: ({ row }) => <Value value={row[place]} />,
    }),
  );
  return (
    <section aria-label={words.answer}>
      <h2>{words.answer}</h2>
      <p role="status">
        {words.took(rowCount, durationMs)} {truncated && words.cut}
      </p>
      <DataTable
        caption={words.answer}
        columns={shown}
        page={pageOfAll(numbered, page, ROWS)}
        rowKey={({ at }) => String(at)}
        empty={<Empty title={words.none} />}
        onPage={setPage}
      />
    </section>
  );
}

function Value({ value }: { readonly value: unknown }) {
  return value === null ? <span className="muted">{words.nothing}</span> : <Text>{String(value)}</Text>;
}
