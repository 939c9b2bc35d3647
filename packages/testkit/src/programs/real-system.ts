/** Where a system comes from: a package of npm at the version of a manifest, or a package of Debian. */
export type SystemSource =
  | { readonly npm: string; readonly manifest: string }
  /** `version` is the upstream one, without the revision of Debian, or `newest` of what Debian follows month by month. */
  | { readonly debian: string; readonly version: string };

/** A system of somebody else that tests run as it comes, for the page *Real systems*. */
export interface RealSystem {
  readonly name: string;
  /** As in "Directory" or "SAML library": systems of one kind stand together. */
  readonly kind: string;
  readonly source: SystemSource;
  /** The test files that run it, below the root of the project. */
  readonly tests: readonly string[];
  /** Titles of tests in these files. Those that a suite makes are named by `suites`. */
  readonly tried: readonly string[];
  /** Suites that these files run, such as "the conformance of connectors". */
  readonly suites?: readonly string[];
  /** Settings without which it does not work, of the system or of Reeve. */
  readonly mustSet: readonly string[];
  /** Facts that the system does not show, which Reeve gives as unknown. */
  readonly unknown: readonly string[];
}

/** Declares a real system in a file `<name>.system.ts` beside its tests. A rule checks titles, files and versions. */
export function realSystem(system: RealSystem): RealSystem {
  return system;
}
