/** What a lifecycle state of an asset means. */
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

/** The states as a schema takes them, for records that show the lifecycle of their asset. */
export const LIFECYCLE = Object.keys(LIFECYCLE_STATES) as LifecycleState[];
