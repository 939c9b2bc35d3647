import { client } from "../../api/client.js";
import type { At } from "../../work/work.js";
import { type ActivitySearch, momentOf } from "./search.js";

/** What an export is narrowed down to, as the page says it and as the API takes it. */
export interface ExportOf {
  readonly search: ExportSearch;
  readonly query: { readonly subjectId?: string; readonly from?: string; readonly before?: string };
}
export type ExportSearch = Pick<ActivitySearch, "subject" | "from" | "to" | "alone">;

/** How far an export is. Its parts one after the other are one export. */
export interface Exporting {
  readonly events: number;
  /** How many events came with their data. */
  readonly shown: number;
  /** Where the first part begins. */
  readonly first: number | null;
  /** Up to where it is exported. */
  readonly to: number | null;
  readonly headHash: string;
  readonly parts: number;
}

export const BEGIN: Exporting = { events: 0, shown: 0, first: null, to: null, headHash: "", parts: 0 };

interface Trailer {
  readonly after: number;
  readonly to: number;
  readonly events: number;
  /** Absent in a slice, which rests on a checkpoint and not on the last event. */
  readonly headHash?: string;
  readonly complete: boolean;
}

/** The days of an address are those of the reader's zone when it begins, wherever it is gone on with. */
export const exportOf = ({ subject, from, to, alone }: ActivitySearch): ExportOf => ({
  search: { subject, from, to, alone },
  query: {
    ...(subject === undefined ? {} : { subjectId: subject }),
    ...(from === undefined ? {} : { from: momentOf(from) }),
    ...(to === undefined ? {} : { before: momentOf(to) }),
  },
});

export async function step({ input, state, signal, addPart }: At<ExportOf, Exporting>) {
  const query = { ...input.query, ...(state.to === null ? {} : { after: state.to }) };
  const asked = { params: { query }, parseAs: "text", signal } as const;
  const { data } = await (input.search.alone === undefined
    ? client.GET("/api/v1/ai-governance/audit/export", asked)
    : client.GET("/api/v1/ai-governance/audit/slice", asked));
  const lines = data.split("\n");
  const { trailer } = JSON.parse(lines.at(-2) ?? "") as { trailer: Trailer };
  // A part without events ends what came before it, and says whether that reaches the end of the chain.
  await addPart(state.parts, data);
  return {
    state: {
      events: state.events + trailer.events,
      shown: state.shown + lines.filter((line) => line !== "" && hasData(line)).length,
      first: state.first ?? trailer.after,
      to: trailer.to,
      headHash: trailer.headHash ?? headOf(lines) ?? state.headHash,
      parts: state.parts + 1,
    },
    // A part of a slice may show no event and still go on.
    isOver: trailer.complete || trailer.to === (state.to ?? trailer.after),
  };
}

/** The hash that the checkpoint of a slice ends with. */
function headOf([first = "{}"]: readonly string[]): string | undefined {
  const { slice } = JSON.parse(first) as { readonly slice?: { readonly head?: { readonly headHash: string } | null } };
  return slice?.head?.headHash;
}

interface Line {
  readonly specversion?: string;
  readonly data?: unknown;
  readonly event?: Line;
}

function hasData(line: string): boolean {
  const parsed = JSON.parse(line) as Line;
  const { specversion, data } = parsed.event ?? parsed;
  return specversion !== undefined && data !== null;
}
