/** One's own account. */
export const account = {
  title: "My account",
  browsers: {
    title: "Browsers you are signed in with",
    columns: { browser: "Browser", since: "Signed in", used: "Last used", ends: "Ends at the latest", end: "Sign out" },
    here: "this one",
    end: (browser: string) => `Sign out ${browser}`,
    empty: { title: "No browser", detail: "You are signed in by your own application or by a token." },
  },
  factors: {
    title: "Second factors",
    required: "Your organisation demands one",
    app: "App for one-time passwords",
    passkey: "Passkey",
    codes: "Recovery codes",
    left: (count: number) => `${count} left`,
    since: "since",
    addApp: "Set up an app",
    replaceApp: "Set up another app",
    addPasskey: "Add a passkey",
    key: "Add this key to an authenticator app:",
    confirm: "Confirm",
    remove: (name: string) => `Remove ${name}`,
    removeIt: "Remove",
    ask: "Remove this factor",
    removes: "It signs you in no more. With your last factor the recovery codes go too.",
  },
};
