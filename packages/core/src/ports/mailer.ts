/** A message to one person, as plain text. */
export interface Mail {
  /** E-mail address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * Hands mail to whatever delivers it. Resolves when the mail was taken over, rejects when it was not. Mails hold one-time
 * secrets: an implementation logs neither subject nor text.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
