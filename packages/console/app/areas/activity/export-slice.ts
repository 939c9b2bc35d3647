import { client } from "../../api/client.js";
import { type ActivitySearch, momentOf } from "./search.js";

/** An export that is whole, ready to be saved. */
export interface Exported {
  readonly file: Blob;
  readonly events: number;
  /** How many events came with their data. */
  readonly shown: number;
  readonly after: number;
  readonly to: number;
  readonly headHash: string;
}

interface Trailer {
  readonly after: number;
  readonly to: number;
  readonly events: number;
  readonly headHash: string;
  readonly complete: boolean;
}

/** What is asked of the API for the filters of the page. */
const queryOf = ({ subject, from, to }: ActivitySearch) => ({
  ...(subject === undefined ? {} : { subjectId: subject }),
  ...(from === undefined ? {} : { from: momentOf(from) }),
  ...(to === undefined ? {} : { before: momentOf(to) }),
});

/** Exports part by part. The parts one after the other are one export. */
export async function exportSlice(search: ActivitySearch, onPart: (events: number) => void): Promise<Exported> {
  const parts: string[] = [];
  let [events, shown] = [0, 0];
  let first: number | undefined;
  let after: number | undefined;
  for (;;) {
    const query = { ...queryOf(search), ...(after === undefined ? {} : { after }) };
    const at = "/api/v1/ai-governance/audit/export";
    const { data } = await client.GET(at, { params: { query }, parseAs: "text" });
    const lines = data.split("\n");
    const { trailer } = JSON.parse(lines.at(-2) ?? "") as { trailer: Trailer };
    // A part without events ends what came before it, and says whether that reaches the end of the chain.
    parts.push(data);
    events += trailer.events;
    shown += lines.filter((line) => line !== "" && hasData(line)).length;
    first ??= trailer.after;
    after = trailer.to;
    onPart(events);
    if (trailer.complete || trailer.events === 0) {
      const file = new Blob(parts, { type: "application/x-ndjson" });
      return { file, events, shown, after: first, to: after, headHash: trailer.headHash };
    }
  }
}

function hasData(line: string): boolean {
  const { specversion, data } = JSON.parse(line) as { readonly specversion?: string; readonly data?: unknown };
  return specversion !== undefined && data !== null;
}
