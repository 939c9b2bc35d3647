/** A message to one person. */
export interface Mail {
  /** E-mail address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as HTML, where there is such a form. */
  readonly html?: string;
  /** More headers, as `List-Unsubscribe`. Names and values hold no line breaks. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends mail. Resolves when the mail was accepted and rejects otherwise. Mails hold one-time secrets, so an
 * implementation must log neither subject nor text.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
