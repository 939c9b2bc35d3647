import { client, ProblemError } from "./client.js";
import { queryClient } from "./query-client.js";

/** What an event of the stream says of what it concerns. */
interface Happened {
  readonly type: string;
  readonly subject: string;
  readonly subjecttype: string;
  readonly related?: string;
}

/** Seconds that a request waits for news, and milliseconds of pauses: after a failure, and between two rounds of polling. */
const WAIT = 25;
const PAUSE = { least: 500, most: 30_000, poll: 15_000 };

/**
 * Keeps what is shown up to date until it is stopped: follows the stream of activity, going on after the last event that was
 * heard. Who may not read it, and whose connection breaks it, gets everything that is shown again from time to time.
 */
export function followActivity(signal: AbortSignal): void {
  void follow(signal).catch(() => undefined);
}

async function follow(signal: AbortSignal): Promise<void> {
  let at: string | undefined;
  let pause = PAUSE.least;
  while (!signal.aborted) {
    await whileHidden(signal);
    try {
      const { data } = await client.GET("/api/v1/ai/activity-stream", {
        params: { query: at === undefined ? {} : { wait: WAIT } },
        ...(at === undefined ? {} : { headers: { "Last-Event-ID": at } }),
        parseAs: "text",
        signal,
      });
      const news = eventsOf(data);
      at = news.at ?? at;
      makeStale(news.events);
      pause = news.retry ?? PAUSE.least;
    } catch (error) {
      if (signal.aborted || (ProblemError.is(error) && error.status === 401)) return;
      const isRefused = ProblemError.is(error) && error.status === 403;
      pause = isRefused ? PAUSE.poll : Math.min(PAUSE.most, pause * 2);
      await queryClient.invalidateQueries({ type: "active" });
    }
    await sleep(pause, signal);
  }
}

/** The events of an answer, up to where it looked, and when to ask again. */
function eventsOf(text: string): { events: Happened[]; at?: string; retry?: number } {
  const events: Happened[] = [];
  let at: string | undefined;
  let retry: number | undefined;
  for (const block of text.split("\n\n")) {
    const fields = new Map(
      block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
    );
    at = fields.get("id") ?? at;
    if (fields.has("retry")) retry = Number(fields.get("retry"));
    if (fields.has("data") && fields.get("event") !== "position") events.push(JSON.parse(fields.get("data") ?? ""));
  }
  return { events, ...(at === undefined ? {} : { at }), ...(retry === undefined ? {} : { retry }) };
}

/** Has everything read again that these events concern: lists of their types, records, figures, and what waits. */
function makeStale(events: readonly Happened[]): void {
  if (events.length === 0) return;
  const types = new Set(events.map(({ subjecttype }) => subjecttype));
  // People are told of records of many types; the event names the record.
  const isToldOf = events.some(({ type }) => type.includes(".notice.given."));
  const ids = new Set(events.flatMap(({ subject, related = "" }) => [subject, ...related.split(" ")]));
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [type, second, third] }) => {
      // Reviews follow records of many types, without events of their own.
      if (type === "me" || type === "review") return true;
      if (type === "notice") return isToldOf;
      if (type === "figure") return Array.isArray(third) && third.some((one) => types.has(one));
      return ids.has(String(second)) || (second === "list" && types.has(String(type)));
    },
  });
}

/** A page that is not looked at asks for nothing; it catches up when one comes back. */
async function whileHidden(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted)
    await new Promise<void>((resolve) => {
      const done = () => {
        document.removeEventListener("visibilitychange", done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      document.addEventListener("visibilitychange", done);
      signal.addEventListener("abort", done);
    });
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
