/** A project as a newcomer makes it, with the code of the guide to frameworks. */
export interface Host {
  readonly name: string;
  /** What is installed from the public registry, beside Reeve. */
  readonly packages: readonly string[];
  /** What is installed of Reeve. */
  readonly reeve: readonly string[];
  /** Its files by their paths, with `package.json` when it says more than that the project is private. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands of its packages that build it, without any setting of Reeve. They may make no database. */
  readonly build?: readonly (readonly string[])[];
  /** The command that runs it, `node` or one of a package. */
  readonly start: readonly string[];
  /** Variables that the guide tells to set for it. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where Reeve is mounted; empty at the root. */
  readonly prefix: string;
}
