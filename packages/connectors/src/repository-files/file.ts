/** A repository at one version. */
export interface Snapshot {
  /** What the repository keeps when it is renamed. */
  readonly id: string;
  /** What people call it, such as `acme/agents`. */
  readonly name: string;
  /** The commit that is looked at. */
  readonly revision: string;
  readonly files: readonly RepositoryFile[];
  /** Whether `files` are all of them. */
  readonly whole: boolean;
}

export interface RepositoryFile {
  readonly path: string;
  /** What the target reads it by. */
  readonly key: string;
  /** Bytes, where the target says so. */
  readonly size?: number;
  readonly symbolicLink?: boolean;
}

/** A file that is not used, with the reason for people. Its message never quotes the file. */
export class UnusableFile extends Error {
  override readonly name = "UnusableFile";
}
