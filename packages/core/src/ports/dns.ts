/** Reads the DNS. The control plane asks it for nothing but text records, and never inside a transaction. */
export interface Dns {
  /**
   * The texts of all TXT records of a name, each put together from its parts. Empty when the name or the record does not
   * exist; rejects when that cannot be told (no answer, a server that fails).
   */
  txt(name: string): Promise<readonly string[]>;
}
