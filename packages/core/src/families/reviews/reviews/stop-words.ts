/** What was done to something, by the event of its machine or the state that it was moved to. */
const DONE: Readonly<Record<string, string>> = {
  ...{ start: "halted", suspend: "suspended", suspended: "suspended", terminate: "terminated", block: "blocked" },
  ...{
    close: "closed",
    closed: "closed",
    revoke: "revoked",
    withdraw: "withdrawn",
    cancel: "stopped",
    disable: "disabled",
  },
  ...{ engage: "switched off", maintain: "put into maintenance" },
};

/** What was done by an act, as in `aiHalt: start`, in plain words. `undefined` for acts that stop nothing. */
export const doneBy = (act: string): string | undefined => DONE[act.slice(act.lastIndexOf(" ") + 1)];

/** How the inbox asks for the reason of a stop. */
export const stopTitle = (act: string, name: string): string => `Say why it was ${doneBy(act) ?? "stopped"}: ${name}`;
