import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client.js";
import { t } from "../../texts/index.js";
import { ConfirmDialog } from "../../ui/confirm-dialog.js";

const words = t.compliance;

/** Files a report, and says under which id and digest the record holds it. */
export function FileReport() {
  const [isOpen, setOpen] = useState(false);
  const file = useMutation({
    mutationFn: async () => (await client.POST("/api/v1/ai/compliance/report", { params: { query: {} } })).data,
    onSuccess: () => setOpen(false),
  });
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {words.file}
      </button>
      {file.data && (
        <p role="status">
          {words.filed(file.data.reportId ?? "")} <code className="text">{file.data.digest}</code>
        </p>
      )}
      <ConfirmDialog
        isOpen={isOpen}
        title={words.file}
        confirm={words.file}
        isBusy={file.isPending}
        error={file.error}
        onConfirm={() => file.mutate()}
        onClose={() => setOpen(false)}
      >
        <p>{words.fileDoes}</p>
      </ConfirmDialog>
    </>
  );
}
