import type { RefundId, ShipmentId } from "./ids.ts";
import type { FeedbackRow } from "./records.ts";

/** A letter as plain text and as HTML that loads nothing. */
export interface Letter {
  /** The shop's name, shown beside the address that letters come from. */
  from: string;
  to: string;
  /** Address that an answer to the letter reaches. Null: the sender's. */
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
}

/** A letter as the desk shows it. */
export type SentLetter = Pick<Letter, "to" | "subject" | "text">;

/** Facts that every letter needs. */
export interface Sender {
  shop: string;
  supportEmail: string | undefined;
  /** The merchant's address. Without it, letters to the merchant are not sent. */
  merchantEmail: string | undefined;
  /** The shop's own clock, an IANA name. */
  timeZone: string;
  deskUrl: string;
}

/** Event data that a letter is built from. */
export interface LetterData {
  shipment_id?: ShipmentId;
  status?: string;
  previous_status?: string;
  amount_minor?: number;
  reason?: string;
  shipment_ids?: ShipmentId[];
  /** Time of the cancellation in milliseconds since the epoch. Letters of older versions lack it. */
  canceled_at?: number;
  /** The cancel request that was accepted, declined or withdrawn. */
  cancel_request_id?: string;
  decision?: string;
  /** End of a payment that made no order. */
  outcome?: string;
  /** The merchant's own words. */
  text?: string;
  /** The refund that the letter is about. */
  refund_id?: RefundId;
}

/** Joins lines, so that a stranger's text cannot pass for a line of ours. */
export const oneLine = (words: string): string => words.replace(/\s+/g, " ").trim();

export const testMoneyNotice = ({ payment }: { payment: { mode: string } }): string | null =>
  payment.mode === "live"
    ? null
    : "This shop uses play money: nothing was charged, and nothing will ship.";

/** In place of the agent's id, for a message from a buyer's page. */
export const FROM_BUYER = "buyer";

/** A buyer's message names its sender in the first line. */
export const buyersMessage = (email: string, message: string): string => `${email}:\n${message}`;

/** The address in a buyer's message; null for an agent's. */
export const senderOf = ({ agent_id, message }: Pick<FeedbackRow, "agent_id" | "message">) =>
  agent_id === FROM_BUYER ? (/^(\S+@\S+):\n/.exec(message)?.[1] ?? null) : null;

/** The port to a mail server. */
export interface Mailer {
  /**
   * Sends a letter. `id` becomes its Message-ID, so a letter sent twice is recognized as one. Throws
   * MailRefused if the server will never take it, MailFailed if it may later.
   */
  send(letter: Letter, id: string): Promise<void>;
  close(): void;
}

/** Its message is a code, because a mail server's text may repeat an address. */
export class MailFailed extends Error {
  override name = "MailFailed";
}

export class MailRefused extends MailFailed {
  override name = "MailRefused";
}
