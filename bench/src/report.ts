import {
  BEARER,
  cpuGoal,
  type Goal,
  GROWTH,
  IMPORT,
  PROCESS,
  SESSIONS,
  tailGoal,
  throughputGoal,
  type Verdict,
  verdict,
} from "./goals.js";
import type { Rates } from "./identity.js";
import type { Results } from "./run.js";

/** A ratio or figure, with its goal. */
export interface Row {
  readonly cells: readonly string[];
  readonly verdict: Verdict;
}

const NOTE = `Ratios are Reeve divided by the hand-written handler of the same framework on the same tables, each the median of the rounds'
own ratios, as both were loaded in turn in a shuffled order, each after at least 8,000 answers that are not counted. "values" is the handler as people write it (rows, parse, stringify);
"text" serves the stored JSON untouched. rps: more is better; CPU and p99: less is better. A refusal (denied) stands beside the
handler's read; a transition is held to what a create must reach. p50 and p99 are milliseconds; at 50 connections they are mostly waiting. Figures of a shared machine vary by 10 %.`;

/** The results as a Markdown page. */
export function renderReport(results: Results): string {
  const { machine, options } = results;
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`);
  const parts = [
    "# Benchmark results",
    `Made by \`npm run bench\` on ${results.date.slice(0, 10)} at commit ${machine.commit}. ${options.rounds} rounds of ${options.seconds} s.${options.awake ? " Processes of the lowest priority kept the cores from sleeping while reads were measured." : ""}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GiB, ${machine.system}. ${versions.join(", ")}.`,
    NOTE,
    ...section("Beside the hand-written handler", HTTP_HEAD, httpRows(results)),
    ...section("Store beside its driver", STORE_HEAD, storeRows(results)),
    ...section("Growth", GROWTH_HEAD, growthRows(results)),
    ...section("Tokens and sign-in, in process", IDENTITY_HEAD, identityRows(results)),
    ...section("Sessions cut off", SESSIONS_HEAD, sessionRows(results)),
    ...section("Import, in process", IMPORT_HEAD, importRows(results)),
    ...section("Scan of an MCP server with 512 tools", MCP_HEAD, mcpRows(results)),
    ...section("Standalone server", PROCESS_HEAD, processRows(results)),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Every row that misses its required value. */
export function shortfalls(results: Results): Row[] {
  const rows = [
    ...httpRows(results),
    ...growthRows(results),
    ...identityRows(results),
    ...sessionRows(results),
    ...importRows(results),
    ...processRows(results),
  ];
  return rows.filter((row) => row.verdict === "BELOW");
}

const HTTP_HEAD = [
  "operation",
  "subject",
  "conn.",
  "reference",
  "figure",
  "subject",
  "reference",
  "ratio",
  "must",
  "aim",
  "verdict",
];
const STORE_HEAD = ["operation", "store", "store ops/s", "driver ops/s", "ratio"];
const GROWTH_HEAD = ["operation", "store", "assets", "figure", "small", "large", "ratio", "must", "verdict"];
const IDENTITY_HEAD = ["what", "store", "subject /s", "reference /s", "ratio", "must", "aim", "verdict"];
const SESSIONS_HEAD = ["figure", "store", "value", "must", "verdict"];
const IMPORT_HEAD = [
  "store",
  "items",
  "imported /s",
  "bare driver /s",
  "ratio",
  "unchanged /s",
  "memory",
  "must",
  "verdict",
];
const MCP_HEAD = ["what", "store", "ms", "client alone ms", "ratio"];
const PROCESS_HEAD = ["figure", "value", "must", "aim", "verdict"];

function section(title: string, head: readonly string[], rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const lines = [head, head.map(() => "---"), ...rows.map(({ cells }) => cells)];
  return [`## ${title}`, lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")];
}

function httpRows({ http }: Results): Row[] {
  return http.flatMap(({ operation, store, size, framework, connections, subject, references }) =>
    Object.entries(references).flatMap(([kind, { result, ratio }]) => {
      const judged = kind === "dto";
      const lead = [
        operation,
        `${framework} + ${store}, ${short(size)}`,
        String(connections),
        kind === "dto" ? "values" : "text",
      ];
      const row = (
        figure: string,
        ours: string,
        theirs: string,
        value: number | undefined,
        goal: Goal | undefined,
      ): Row => judgedRow([...lead, figure, ours, theirs], value, judged ? goal : undefined);
      return [
        row("rps", whole(subject.rps), whole(result.rps), ratio.rps, throughputGoal(store, framework, operation)),
        row("p50 / p99", latency(subject), latency(result), ratio.p99, tailGoal(operation, connections)),
        ...(subject.cpu === undefined || result.cpu === undefined
          ? []
          : [row("CPU µs", whole(subject.cpu), whole(result.cpu), ratio.cpu, cpuGoal(store, framework, operation))]),
      ];
    }),
  );
}

function storeRows({ store }: Results): Row[] {
  return store.map(({ operation, kind, size, store: ours, driver, ratio }) => ({
    cells: [operation, `${kind}, ${short(size)}`, whole(ours), whole(driver), ratio.toFixed(2)],
    verdict: "",
  }));
}

function growthRows({ growth }: Results): Row[] {
  return growth.flatMap(({ operation, store, sizes, small, large, p50, p99 }) => {
    const lead = [operation, store, `${short(sizes[0])} to ${short(sizes[1])}`];
    const row = (figure: string, ours: number, theirs: number, ratio: number, goal: Goal): Row => {
      const judgement = verdict(ratio, goal);
      const cells = [
        ...lead,
        figure,
        theirs.toFixed(2),
        ours.toFixed(2),
        ratio.toFixed(2),
        `<= ${goal.must}`,
        judgement,
      ];
      return { cells, verdict: judgement };
    };
    if (operation.startsWith("search")) {
      const judgement = verdict(large.p50, GROWTH.searchMs);
      const figures = [small.p50.toFixed(2), large.p50.toFixed(2), p50.toFixed(2)];
      return [
        { cells: [...lead, "p50 ms", ...figures, `<= ${GROWTH.searchMs.must} ms`, judgement], verdict: judgement },
      ];
    }
    return [row("p50 ms", large.p50, small.p50, p50, GROWTH.p50), row("p99 ms", large.p99, small.p99, p99, GROWTH.p99)];
  });
}

function identityRows({ identity }: Results): Row[] {
  return identity.flatMap(({ store, bearer, signIn }) => {
    const row = (what: string, { subject, reference, ratio }: Rates, goal: Goal | undefined) =>
      judgedRow([what, store, whole(subject), whole(reference)], ratio, goal);
    return [
      row("read by bearer, beside one whose caller the host names", bearer, BEARER),
      row("sign-in, two at a time, beside the bare hash", signIn, undefined),
    ];
  });
}

function sessionRows({ sessions }: Results): Row[] {
  return sessions.flatMap(({ store, cancelMs, terminateMs, farCancelMs, farLeaseMs, leaseShare, checkMicros }) => {
    const row = (figure: string, value: number, unit: string, goal: Goal | undefined): Row => {
      const judgement = verdict(value, goal);
      const cells = [figure, store, `${value.toFixed(2)} ${unit}`, goal ? `<= ${goal.must}` : "", judgement];
      return { cells, verdict: judgement };
    };
    const reported = store === "postgres";
    const far = reported ? "told by the database" : `lease of ${farLeaseMs} ms`;
    const farGoal = reported ? SESSIONS.farCancelMs : { must: farLeaseMs, higher: false };
    return [
      row("termination until cancelled, same process, median", cancelMs, "ms", SESSIONS.cancelMs),
      row("termination of one that nobody guards, median", terminateMs, "ms", undefined),
      row(`termination until cancelled, another process, ${far}, median`, farCancelMs, "ms", farGoal),
      row("store lost until closed, longest, as a share of the lease", leaseShare, "", SESSIONS.leaseShare),
      row("check within a lease", checkMicros, "µs", undefined),
    ];
  });
}

function mcpRows({ mcp }: Results): Row[] {
  return mcp.flatMap(({ store, client, connector, again, first }) => {
    const row = (what: string, { ms, ratio }: { readonly ms: number; readonly ratio: number }): Row => ({
      cells: [what, store, ms.toFixed(1), client.toFixed(1), ratio.toFixed(2)],
      verdict: "",
    });
    return [
      row("a look through the egress guard", connector),
      row("a scan that finds nothing new", again),
      row("a first scan, which registers 512 tools and their assets", first),
    ];
  });
}

function importRows({ imports }: Results): Row[] {
  return imports.map(({ store, items, imported, raw, ratio, unchanged, memoryMb }) => {
    const judgement = verdict(imported, IMPORT);
    const figures = [whole(imported), whole(raw), ratio.toFixed(2), whole(unchanged), `${whole(memoryMb)} MiB`];
    return { cells: [store, short(items), ...figures, `>= ${whole(IMPORT.must)} /s`, judgement], verdict: judgement };
  });
}

function processRows({ standalone }: Results): Row[] {
  if (!standalone) return [];
  const row = (name: string, value: number, unit: string, goal: (Goal & { aim: number }) | undefined): Row => {
    const judgement = verdict(value, goal);
    const limits = goal ? [`<= ${goal.must}`, `<= ${goal.aim}`] : ["", ""];
    return { cells: [name, `${whole(value)} ${unit}`, ...limits, judgement], verdict: judgement };
  };
  return [
    row("first start, schema made, to first answer", standalone.firstStartMs, "ms", undefined),
    row("start to first answer", standalone.coldStartMs, "ms", PROCESS.coldStartMs),
    row("resident memory, idle", standalone.idleMb, "MiB", PROCESS.idleMb),
    row("resident memory, under load", standalone.loadedMb, "MiB", PROCESS.loadedMb),
  ];
}

function judgedRow(lead: readonly string[], value: number | undefined, goal: Goal | undefined): Row {
  const judgement = verdict(value, goal);
  const sign = goal?.higher ? ">=" : "<=";
  const limit = (bound: number | undefined) => (bound === undefined ? "" : `${sign} ${bound}`);
  return {
    cells: [...lead, value?.toFixed(2) ?? "", limit(goal?.must), limit(goal?.aim), judgement],
    verdict: judgement,
  };
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function latency({ p50, p99 }: { readonly p50: number; readonly p99: number }): string {
  return `${p50.toFixed(2)} / ${p99.toFixed(2)}`;
}

function short(size: number): string {
  return size >= 1_000_000 ? `${size / 1_000_000} M` : size >= 1_000 ? `${size / 1_000} k` : String(size);
}
