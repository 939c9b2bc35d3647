/** Reads TXT records. The control plane never calls it inside a transaction. */
export interface Dns {
  /**
   * The texts of all TXT records of a name, each joined from its parts. Empty when the name or the record does not
   * exist. Rejects when no server answers or one fails.
   */
  txt(name: string): Promise<readonly string[]>;
}
