/** The result of a check, with a remedy unless it is `ok`. */
export interface Finding {
  readonly check: string;
  readonly outcome: "ok" | "warning" | "fault";
  readonly detail: string;
}

export type Found = Omit<Finding, "check">;

export const ok = (detail: string): Found => ({ outcome: "ok", detail });
export const warning = (detail: string): Found => ({ outcome: "warning", detail });
export const fault = (detail: string): Found => ({ outcome: "fault", detail });
