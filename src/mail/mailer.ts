import type { Letter } from "../core/letter.ts";

/** The port to a mail server. */
export interface Mailer {
  /**
   * Hands one letter over. The same `id` again is the same letter, which a reader's mail program can
   * tell. Throws MailRefused where the server will never take it, MailFailed where it may later.
   */
  send(letter: Letter, id: string): Promise<void>;
  close(): void;
}

/** Its message is a code: the words of a mail server may repeat an address. */
export class MailFailed extends Error {
  override name = "MailFailed";
}

export class MailRefused extends MailFailed {
  override name = "MailRefused";
}
