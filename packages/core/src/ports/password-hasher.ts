/** Hashes passwords into self-describing PHC strings. It gets them as the OpaqueString profile of RFC 8265 prepares them. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Whether the password matches. `rehash`: the hash has weaker settings than the current ones. */
  verify(password: string, hash: string): Promise<{ ok: boolean; rehash: boolean }>;
}
