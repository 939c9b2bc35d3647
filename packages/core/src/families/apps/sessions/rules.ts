/** Why a session at an application ends. */
export type EndReason =
  | "application_disabled"
  | "application_removed"
  | "access_revoked"
  | "account_disabled"
  | "capability_not_licensed"
  | "logged_out"
  | "logged_out_by_application"
  | "tenant_suspended"
  | "too_many_sessions";
