import { createTransport } from "nodemailer";
import { sha256 } from "../core/hash.ts";
import { type Mailer, MailFailed, MailRefused } from "../core/letter.ts";
import { isLoopback } from "../core/network.ts";

export interface SmtpOptions {
  /** smtp://user:password@host:port, or smtps://. */
  url: string;
  from: string;
}

/** nodemailer adds the server's answer and the refused command to an error. */
interface SmtpError {
  responseCode: number;
  code: string;
  command: string;
  message: string;
}

const TIMEOUT_MS = 20_000;

/** The refused step, and the setting to check. */
function toWhat(command: string): string {
  if (command.startsWith("AUTH")) return " to the sign-in; check the user and password in SMTP_URL";
  if (command === "STARTTLS")
    return " to STARTTLS; TLS is required unless SMTP_URL allows clear text";
  if (command === "MAIL FROM") return " to the sender; check MAIL_FROM";
  if (command === "RCPT TO") return " to the recipient";
  return command === "DATA" ? " to the letter" : "";
}

/** Mail over SMTP, by nodemailer; one connection, kept open between letters. */
export function smtpMailer({ url, from }: SmtpOptions): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 1,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    // Otherwise a server without STARTTLS would receive the password in clear text.
    // `?requireTLS=false` in the URL turns this off for a network the owner trusts.
    requireTLS: !isLoopback(new URL(url).hostname),
  });
  const host = from.slice(from.lastIndexOf("@") + 1).replace(/>$/, "");
  return {
    async send({ from: name, to, replyTo, subject, text, html }, id) {
      const messageId = `<${sha256(id).slice(0, 40)}@${host}>`;
      const headers = { "Auto-Submitted": "auto-generated" };
      try {
        await transport.sendMail({
          from: { name, address: from },
          to: { name: "", address: to },
          ...(replyTo !== null && { replyTo: { name: "", address: replyTo } }),
          subject,
          text,
          html,
          messageId,
          headers,
        });
      } catch (error) {
        // Only codes after connecting: a server's words may repeat the address.
        const { responseCode = 0, code, command = "", message } = error as Partial<SmtpError>;
        const unanswered = (command === "CONN" && message) || code || "no answer";
        const said = responseCode
          ? `the mail server answered ${responseCode}${toWhat(command)}`
          : unanswered;
        // Only these two are about this letter. The merchant corrects a refused sender or sign-in (530).
        const isAboutLetter = ["RCPT TO", "DATA"].includes(command) && responseCode !== 530;
        throw isAboutLetter && responseCode >= 500 ? new MailRefused(said) : new MailFailed(said);
      }
    },
    close: () => transport.close(),
  };
}
