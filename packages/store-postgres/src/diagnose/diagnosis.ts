/** What was found out about one option of a store on PostgreSQL. */
export interface Diagnosis {
  readonly option: "directUrl" | "migrationUrl" | "poolSize" | "replicaUrl";
  readonly outcome: "ok" | "warning" | "fault";
  readonly detail: string;
}

export type Found = Omit<Diagnosis, "option">;
