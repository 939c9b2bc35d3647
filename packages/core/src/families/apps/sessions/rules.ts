/** Why a session at an application ends. */
export type EndReason =
  | "application_disabled"
  | "application_removed"
  | "access_revoked"
  | "account_disabled"
  | "logged_out"
  | "logged_out_by_application"
  | "too_many_sessions";
