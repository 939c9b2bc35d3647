import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../../api/client.js";
import { fieldFault, isOvertaken } from "../../../api/problem.js";
import { t } from "../../../texts/index.js";
import { ConfirmDialog } from "../../../ui/confirm-dialog.js";
import { Field } from "../../../ui/field.js";
import { TextField } from "../../../ui/text-field.js";
import type { Assessment } from "./use-assessment.js";

const words = t.compliance;

type EvidenceType = keyof typeof words.evidenceTypes;
const TYPES = Object.keys(words.evidenceTypes) as readonly EvidenceType[];
const EMPTY = { type: "document" as EvidenceType, ref: "", digest: "", note: "", validUntil: "", rationale: "" };

interface AddEvidenceProps {
  readonly framework: string;
  readonly controlId: string;
  readonly record: Assessment | null;
}

/** Attaches evidence to a control by hand, and asks a second person to attest it. */
export function AddEvidence({ framework, controlId, record }: AddEvidenceProps) {
  const cache = useQueryClient();
  const [act, setAct] = useState<"add" | "submit">();
  const [form, setForm] = useState(EMPTY);
  const readAgain = () =>
    Promise.all(["compliance", "figure", "review"].map((type) => cache.invalidateQueries({ queryKey: [type] })));
  const send = useMutation({
    mutationFn: (chosen: "add" | "submit") => {
      const body = chosen === "submit" ? { workflow: "in_review" as const } : attached(form);
      return record
        ? client.PUT("/api/v1/ai/compliance/{id}", {
            params: { path: { id: record.id } },
            ifMatch: record,
            body: body as never,
          })
        : client.POST("/api/v1/ai/compliance", { body: { framework, controlId, ...body } as never });
    },
    onSuccess: async () => {
      setAct(undefined);
      setForm(EMPTY);
      await readAgain();
    },
    onError: (error) => (isOvertaken(error) ? readAgain() : undefined),
  });
  const open = (chosen: "add" | "submit") => {
    send.reset();
    setAct(chosen);
  };
  const canSubmit = record !== null && (record.workflow === "to_do" || record.workflow === "in_progress");
  return (
    <div className="decisions">
      <button type="button" onClick={() => open("add")}>
        {words.add}
      </button>
      {canSubmit && (
        <button type="button" onClick={() => open("submit")}>
          {words.submit}
        </button>
      )}
      <ConfirmDialog
        isOpen={act !== undefined}
        title={act === "submit" ? words.submitTitle : words.addTitle}
        confirm={act === "submit" ? words.submit : words.add}
        isBusy={send.isPending}
        error={send.error}
        onConfirm={() => act && send.mutate(act)}
        onClose={() => setAct(undefined)}
      >
        {act === "submit" ? (
          <p>{words.submitDoes}</p>
        ) : (
          <Fields form={form} change={(patch) => setForm({ ...form, ...patch })} error={send.error} />
        )}
      </ConfirmDialog>
    </div>
  );
}

function attached({ rationale, digest, validUntil, ...item }: typeof EMPTY) {
  const evidence = {
    ...item,
    ...(digest === "" ? {} : { digest }),
    ...(validUntil === "" ? {} : { validUntil }),
  };
  return { addEvidence: [evidence], ...(rationale === "" ? {} : { rationale }) };
}

interface FieldsProps {
  readonly form: typeof EMPTY;
  readonly change: (patch: Partial<typeof EMPTY>) => void;
  readonly error: unknown;
}

function Fields({ form, change, error }: FieldsProps) {
  const fault = (name: string) => fieldFault(error, `/addEvidence/0/${name}`);
  return (
    <>
      <Field label={words.addType} fault={fault("type")}>
        {(ids) => (
          <select {...ids} value={form.type} onChange={({ target }) => change({ type: target.value as EvidenceType })}>
            {TYPES.map((type) => (
              <option key={type} value={type}>
                {words.evidenceTypes[type]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        label={words.addRef}
        hint={words.addRefHint}
        fault={fault("ref")}
        required
        maxLength={1000}
        value={form.ref}
        onChange={(value) => change({ ref: value })}
      />
      {form.type === "document" && (
        <TextField
          label={words.addDigest}
          fault={fault("digest")}
          required
          maxLength={71}
          value={form.digest}
          onChange={(value) => change({ digest: value })}
        />
      )}
      <TextField
        label={words.addUntil}
        hint={words.addUntilHint}
        fault={fault("validUntil")}
        type="date"
        value={form.validUntil}
        onChange={(value) => change({ validUntil: value })}
      />
      <TextField
        label={words.addNote}
        fault={fault("note")}
        maxLength={1000}
        value={form.note}
        onChange={(value) => change({ note: value })}
      />
      <TextField
        label={words.rationaleLabel}
        fault={fieldFault(error, "/rationale")}
        rows={2}
        maxLength={2000}
        value={form.rationale}
        onChange={(value) => change({ rationale: value })}
      />
    </>
  );
}
