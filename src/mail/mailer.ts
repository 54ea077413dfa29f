import type { Letter } from "../domain/mail/letter.ts";

/** The port to a mail server. */
export interface Mailer {
  /**
   * Hands one letter over. The same `id` again is the same letter, which a reader's mail program can
   * tell. Throws MailRefused where the server will never take it, anything else where it may later.
   */
  send(letter: Letter, id: string): Promise<void>;
  close(): void;
}

export class MailRefused extends Error {
  override name = "MailRefused";
}
