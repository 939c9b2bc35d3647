const number = new Intl.NumberFormat("en");
const plural = (count: number, one: string, many: string) => `${number.format(count)} ${count === 1 ? one : many}`;

/** What all areas share. */
export const common = {
  /** Names of the areas in the navigation. */
  areas: {
    inbox: "Inbox",
    estate: "Estate",
    stop: "Stop",
    findings: "Findings",
    policies: "Policies",
    access: "Access",
    compliance: "Compliance",
    activity: "Activity",
    administration: "Administration",
    provider: "Provider",
    session: "My account",
  },
  shell: {
    skip: "Skip to the content",
    areas: "Areas",
    links: "Links",
    signOut: "Sign out",
    signedInAs: (name: string, tenant: string) => `${name}, ${tenant}`,
    loading: "Loading…",
    notFound: { title: "There is no such page", detail: "The address may be wrong, or you may not see what it shows." },
    nothing: { title: "Nothing here is yours yet", detail: "Ask an administrator of your organisation for a role." },
  },
  problem: {
    unreachable: {
      title: "The server cannot be reached",
      remedy: "Check the connection, then try again. Nothing you entered is lost.",
    },
    unexpected: "Something went wrong in this page",
    status: (status: number) => `The server answered ${status}`,
    retry: "Try again",
    request: (id: string) => `Request ${id}`,
    overtaken: "Somebody was quicker",
  },
  table: {
    rows: (count: number, exact: boolean) => `${plural(count, "entry", "entries")}${exact ? "" : " or more"}`,
    page: (page: number, of: number | null) => (of === null ? `Page ${page}` : `Page ${page} of ${of}`),
    previous: "Previous page",
    next: "Next page",
    pages: "Pages",
    pagesOf: (list: string) => `Pages: ${list}`,
  },
  facets: { title: "Filters", all: "All", clear: "Clear filters" },
  views: {
    ...{ title: "Saved views", none: "None", own: "Your own", shared: "Shared" },
    ...{ save: "Save view", saveTitle: "Save what is chosen as a view", name: "Name" },
    share: "Share it with everybody here",
    remove: "Delete view",
    removeTitle: (name: string) => `Delete the view ${name}?`,
    removesShared: "It is shared. It is gone for everybody.",
    cut: "There are more views than are listed here.",
  },
  reason: {
    label: "Reason",
    required: "At least ten characters. It stands in the record.",
    later: "You may stop first and say why later.",
  },
  dialog: { cancel: "Cancel", close: "Close" },
  time: {
    unknown: "unknown",
    never: "never",
    utc: (text: string) => `${text} UTC`,
  },
  text: { hidden: (code: string) => `hidden character ${code}`, empty: "no text" },
  progress: { done: (done: number, total: number) => `${number.format(done)} of ${number.format(total)}` },
  whole: { yes: "yes", no: "no" },
  person: {
    ...{ you: "You", system: "Reeve itself", hidden: "You may not see the name" },
    someHidden: "Ids stand in place of names that you may not see.",
  },
  versions: {
    title: "Versions",
    ...{ at: "Made", by: "By", changed: "Changed", older: "Before", newer: "After", field: "Field" },
    first: "written",
    compare: "Difference of two versions",
    choose: "Choose two versions to compare.",
    same: "These two say the same.",
    unknown: "What it said before is not known any more.",
  },
  number: (count: number) => number.format(count),
  unknown: "unknown",
  none: "none",
};
