import { type Mutant, tests } from "../mutant.js";

const sources = "packages/core/src/kernel";
const test = "packages/core/test";

const requestId = tests(
  `${test}/kernel/in-process.test.ts`,
  "handle gives the request id back that it was given, when that is one",
);

export const kernel: readonly Mutant[] = [
  {
    breaks: "a misspelt ifMatch of a call in process overwrites without a check",
    file: `${sources}/pipeline/operation-input.ts`,
    text: "if (unknown.length > 0) {",
    replacement: "if (unknown.length > 99) {",
    witnesses: tests(
      `${test}/kernel/in-process.test.ts`,
      "call refuses members that its input does not have, so that none is lost",
    ),
  },
  {
    breaks: "a 404 tells of a record of another kind that the caller may not read",
    file: `${sources}/pipeline/other-kind.ts`,
    text: "if (!isList) await operation.handler(",
    replacement: "if (!isList) ((..._unread: unknown[]) => {})(",
    witnesses: tests(
      `${test}/rules/other-kinds.test.ts`,
      "an id of another kind review is told of to whoever may read it there",
    ),
  },
  {
    breaks: "a request id may begin with anything, so that text of a stranger's choice is echoed and logged",
    file: `${sources}/pipeline/pipeline.ts`,
    text: "/^[A-Za-z0-9._-]{1,64}$/",
    replacement: "/[A-Za-z0-9._-]{1,64}$/",
    witnesses: requestId,
  },
  {
    breaks: "a request id may end with anything",
    file: `${sources}/pipeline/pipeline.ts`,
    text: "/^[A-Za-z0-9._-]{1,64}$/",
    replacement: "/^[A-Za-z0-9._-]{1,64}/",
    witnesses: requestId,
  },
  {
    breaks: "a key spent on one operation keeps another from being done",
    file: `${sources}/pipeline/idempotency.ts`,
    text: "[principal.userId, operation.id, key]",
    replacement: "[principal.userId, key]",
    witnesses: tests(
      `${test}/rules/idempotency.test.ts`,
      "Idempotency-Key of tenant a may be sent again to another operation, which has its own effect",
      "Idempotency-Key of tenant b may be sent again to another operation, which has its own effect",
    ),
  },
  {
    breaks: "a request for one record is answered with what was done to another",
    file: `${sources}/pipeline/idempotency.ts`,
    text: "[operation.method, path, canonical",
    replacement: "[operation.method, canonical",
    witnesses: tests(
      `${test}/rules/idempotency.test.ts`,
      "Idempotency-Key of tenant a that was spent on one record is refused for another",
      "Idempotency-Key of tenant b that was spent on one record is refused for another",
    ),
  },
  {
    breaks: "a cache that weakens tags gets every body anew",
    file: `${sources}/http/version-condition.ts`,
    text: 'tags.map((tag) => tag.replace(/^W\\//, ""))',
    replacement: "tags",
    witnesses: tests(
      `${test}/rules/concurrency.test.ts`,
      "ETag and If-None-Match belong to every single record, and save its body when it has not changed",
    ),
  },
  {
    breaks: "a full last page sends its reader on to an empty one",
    file: `${sources}/operation/page.ts`,
    text: "end < items.length",
    replacement: "end <= items.length",
    witnesses: tests(
      `${test}/rules/lists.test.ts`,
      "pages of what is no stored record show each item once, and the last has no cursor, full or not",
    ),
  },
  {
    breaks: "an event is given up one try early",
    file: `${sources}/events/outbox.ts`,
    text: "attempts >= ATTEMPTS",
    replacement: "attempts >= ATTEMPTS - 1",
    witnesses: tests(
      `${test}/rules/event-deliveries.test.ts`,
      "onEvent is heard at the tenth try, and then asked no more",
      "onEvent is given up after ten, and then asked no more",
    ),
  },
  {
    breaks: "a tick takes a tenant of a control plane that closes",
    file: "packages/core/src/control-plane/lifecycle.ts",
    text: "this.#closing.abort();",
    replacement: "",
    witnesses: tests(
      `${test}/kernel/each-store/deliveries.test.ts`,
      "begins no delivery and no tenant of a tick of the host's own once it closes, and the next process goes on",
    ),
  },
  {
    breaks: "the audit trail does not say what changed with a state",
    file: `${sources}/operation/context.ts`,
    text: "changes: differences(record, options.patch ?? {}),",
    replacement: "changes: [],",
    witnesses: tests(
      `${test}/rules/event-chain.test.ts`,
      "the event of a transition of tenant a says what else has changed with the state",
      "the event of a transition of tenant b says what else has changed with the state",
    ),
  },
  {
    breaks: "lists: a page reads on past the bound of examined rows while records are due",
    file: "packages/core/src/kernel/operation/seen-page.ts",
    text: "const isBoundReached = rows.length < BATCH ||",
    replacement: "const isBoundReached =",
    witnesses: tests(
      "packages/core/test/kernel/seen-pages.test.ts",
      "a list by a state that time changes, with many due looks at a bounded number of rows for each page and shows each hit once: the newest first",
    ),
  },
  {
    breaks: "lists: a cursor forgets which run was put in order while records are due",
    file: "packages/core/src/kernel/operation/list-positions.ts",
    text: "...(run ? { run } : {}) };",
    replacement: "};",
    witnesses: tests(
      "packages/core/test/kernel/seen-pages.test.ts",
      "a list by a state that time changes, with one due looks at a bounded number of rows for each page and shows each hit once: an order by several fields",
    ),
  },
];
