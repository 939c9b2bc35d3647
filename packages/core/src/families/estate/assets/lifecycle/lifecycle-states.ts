/** The lifecycle states of an asset, with their meaning. */
export const LIFECYCLE_STATES = {
  registered: "Known and taken responsibility for.",
  discovered: "Seen by discovery, nobody has registered it yet.",
  development: "Being built.",
  validation: "Being tested for release.",
  production: "In use.",
  deprecated: "In use, to be replaced.",
  retired: "Out of use.",
} as const;

export type LifecycleState = keyof typeof LIFECYCLE_STATES;

/** The lifecycle states as a list for schemas. */
export const LIFECYCLE = Object.keys(LIFECYCLE_STATES) as LifecycleState[];
