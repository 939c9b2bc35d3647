const number = new Intl.NumberFormat("en");

/** What has happened, and the proof of it. */
export const activity = {
  title: "Activity",
  list: "Events, the newest first",
  by: "by",
  back: "Back to the activity",
  newer: "Newer",
  older: "Older",
  whole: (sequence: number) => `Event ${number.format(sequence)} in full`,
  hash: (hash: string) => `Hash ${hash}`,
  empty: { title: "No event fits", detail: "Nothing of this kind happened, or the filters leave nothing." },
  filters: {
    subject: "Id of the subject",
    actor: "Id of who did it",
    words: "Words",
    from: "From",
    to: "Before",
    outcome: "Outcome",
    severity: "Severity",
    apply: "Filter",
    named: { subject: "Subject", actor: "Who did it" },
    hint: "Choose the subject of an event to see all that happened to it. Then export that with its proof.",
  },
  choices: { success: "done", denied: "denied", failure: "failed", INFO: "info", WARN: "warning", ERROR: "error" },
  of: {
    title: "What happened",
    none: "Nothing has happened",
    ...{ at: "When", event: "Event", move: "Change", who: "Who", outcome: "Outcome" },
    whole: "In the activity",
  },
  toExport: "Export with its proof",
  export: {
    title: "Export with its proof",
    leads:
      "The file holds every event of the span of time. Only those of the subject come with their data. The chain of hashes shows that none of them is missing or changed.",
    everything: "Without a subject every event comes with its data.",
    alone: "Only the events of the subject, with the proof that none is missing",
    aloneMeans:
      "Of other events the file holds hashes only. It reaches up to the newest signed checkpoint, whose key the verifier needs.",
    run: "Export",
    titleOf: (subject: string | undefined) => (subject === undefined ? "Export of all events" : `Export of ${subject}`),
    running: (events: number) => `Exporting, ${number.format(events)} events so far`,
    done: "The file is ready",
    save: "Save the file",
    facts: {
      events: "Events in the file",
      shown: "Events shown with their data",
      span: "Sequence",
      head: "Hash of the last event",
      at: "Made",
      none: "none",
    },
    verify: "Verify it on any machine, without Reeve:",
    between: (first: number, last: number) => `${number.format(first)} to ${number.format(last)}`,
  },
  toVerification: "Verify the record",
  verification: "Verification of the record",
  verify: "Verify now",
  verifies:
    "Each event holds the hash of the one before it. The server reads all of them and computes each hash anew; a changed or missing event breaks the chain.",
  soFar: (events: number) => `${number.format(events)} events`,
  verifying: (checked: number) => `Verifying, ${number.format(checked)} events so far`,
  results: {
    whole: "The record is whole",
    broken: (sequence: number) => `Broken at event ${number.format(sequence)}`,
    checked: "Events checked",
    at: "Begun",
    head: "Hash of the last event",
    signed: "Signed by a checkpoint up to event",
    unsigned: "no checkpoint is signed",
    fault: "Fault",
  },
  timeline: {
    title: "The chain of events",
    picture: "The chain of events from the first to the last, with its gaps",
    scale:
      "Each event takes the same room. A line ends what a checkpoint covers. Gaps stand out, and are drawn wider than they are.",
    reading: "Reading the chain for its timeline",
    gaps: (count: number) =>
      count === 0 ? "There is no gap." : count === 1 ? "There is one gap." : `There are ${number.format(count)} gaps.`,
    erased: (count: number) =>
      count === 0
        ? "No event has lost its data."
        : `The data of ${number.format(count)} ${count === 1 ? "event" : "events"} was erased; the chain holds all the same.`,
    table: "Parts of the chain",
    states: { whole: "whole", pruned: "given up after its time", missing: "missing", broken: "does not fit" },
    columns: {
      ...{ events: "Events", state: "State", first: "First", last: "Last", erased: "Data erased" },
      checkpoint: "Ends with the checkpoint of",
    },
    between: (from: number, to: number) =>
      from === to ? number.format(from) : `${number.format(from)} to ${number.format(to)}`,
    signed: "(signed)",
    unsigned: "(not signed)",
  },
};
