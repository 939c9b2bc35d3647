/** Bounds of what is read in repositories, which anybody with a commit fills. */
export const FILE_LIMITS = {
  /** Bytes of a file. Larger ones are not read. */
  bytes: 262_144,
  /** Files of a repository. */
  files: 500,
  /** Finds of one file. */
  finds: 100,
  /** Calls to the target in one page. */
  calls: 40,
  /** Characters of a name. */
  name: 100,
  /** Characters of the path of a project. */
  project: 200,
} as const;
