import type { SamlMessage } from "@reeve/core";
import { describe, expect, it } from "vitest";
import { type Hostile, hostileMessages } from "../support/hostile.js";
import { type Kind, redirected } from "../support/messages.js";
import { ADAPTER_NAMES, bring, openDoor } from "./door.js";

/** Fewer than are recorded of one sender in one window. */
const AT_ONE_DOOR = 90;

const bomb: Hostile = [
  "8 MiB of spaces, deflated",
  "LogoutRequest",
  redirected("LogoutRequest", Buffer.alloc(8 * 1024 * 1024, 0x20)) as SamlMessage,
  "document_too_large",
];
const messages = [...(await hostileMessages()), bomb];
const doors = Array.from({ length: Math.ceil(messages.length / AT_ONE_DOOR) }, (_, at) =>
  messages.slice(at * AT_ONE_DOOR, (at + 1) * AT_ONE_DOOR),
);

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly refusal?: string;
  /** Whether an event of the tenant tells of it. */
  readonly recorded: boolean;
}

const byEngine = (refusal: string): Refused => ({ status: 400, code: "saml_invalid", refusal, recorded: true });
/** Queries that two readers could read in two ways are refused before anything reads their message. */
const unread = (code: string): Refused => ({ status: 400, code, recorded: false });

const AT_THE_DOOR: readonly (readonly [name: RegExp, refused: Refused])[] = [
  [/: a second (?:message of the same name|relay state|signature)$/, unread("invalid_parameter")],
  [/: a broken escape$/, unread("invalid_encoding")],
  // Node itself takes no more than 16 KiB of address and headers.
  [/^64 MiB of spaces, deflated$/, { status: 431, code: "", recorded: false }],
  // A field without a value is not there.
  [/^an empty message$/, byEngine("parameter_invalid")],
  // The application is looked up by its issuer before anything is verified.
  [/: another issuer$/, byEngine("issuer_mismatch")],
];

const expectedOf = ([name, , , refusal]: Hostile): Refused =>
  AT_THE_DOOR.find(([pattern]) => pattern.test(name))?.[1] ?? byEngine(refusal);

async function refusalOf(door: Awaited<ReturnType<typeof openDoor>>, kind: Kind, message: SamlMessage) {
  const { status, code, refusal, headers, page } = await bring(door, kind, message);
  const news = await door.news();
  for (const event of news) expect(event).toEqual({ type: "reeve.saml.message.refused.v1", refusal });
  expect(page).not.toMatch(/name="(?:SAMLResponse|password)"/);
  expect(headers.get("set-cookie")).toBeNull();
  return { status, code, ...(refusal === undefined ? {} : { refusal }), recorded: news.length === 1 };
}

describe.each(ADAPTER_NAMES)("hostile messages at the door of %s", (adapter) => {
  it("are more than 206", () => expect(messages.length).toBeGreaterThan(206));

  it.each(doors.map((some, at) => [at + 1, some] as const))(
    "are refused with a page that says why, leave no session, and are on record: part %i",
    async (_part, some) => {
      const door = await openDoor(adapter);
      await door.news();
      for (const hostile of some) {
        const [name, kind, message] = hostile;
        expect(await refusalOf(door, kind, message), name).toEqual(expectedOf(hostile));
      }
      expect(await door.sessions()).toEqual([]);
      await door.stop();
    },
  );
});
