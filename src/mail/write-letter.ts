import { html, raw } from "hono/html";
import { type Letter, oneLine, type Sender } from "../core/letter.ts";

/** A part of a letter. A string is a paragraph with its line breaks. */
export type Block = string | Quoted | Amounts | Parcel | Link;

/** Somebody's own words. */
interface Quoted {
  quote: string;
  /** Introduces the words. */
  by?: string;
}

/** Names with amounts, as on a receipt. The last one is the total. */
interface Amounts {
  amounts: readonly (readonly [name: string, amount: string])[];
}

/** Shipments to one address. */
interface Parcel {
  title: string;
  lines: readonly string[];
  giftNotes?: readonly string[];
}

/** An address to open. `button`: text of the letter's button. */
interface Link {
  label: string;
  url: string;
  button?: string;
}

/** Subject and blocks. Null blocks are left out. */
export interface LetterText {
  subject: string;
  blocks: readonly (Block | null)[];
}

/** Adds the order's number. */
export const numbered = (subject: string, number: number | undefined): string =>
  number === undefined ? subject : `${subject} (#${number})`;

export function toBuyer(sender: Sender, to: string, { subject, blocks }: LetterText): Letter {
  const { shop, supportEmail } = sender;
  const reach = supportEmail ? `Questions? Write to ${supportEmail}.` : null;
  const readers = { to, replyTo: supportEmail ?? null };
  return letter(sender, readers, { subject, blocks: [...blocks, reach, `— ${shop}`] });
}

/**
 * `page`: path at the desk. `replyTo`: the person that the letter is about. Null if the shop has no address for
 * its own letters.
 */
export function toMerchant(
  sender: Sender,
  page: string,
  { replyTo = null, ...text }: LetterText & { replyTo?: string | null },
): Letter | null {
  const { merchantEmail: to, deskUrl } = sender;
  if (to === undefined) return null;
  const where: Link = { label: "At your desk", url: `${deskUrl}${page}`, button: "Open your desk" };
  return letter(sender, { to, replyTo }, { ...text, blocks: [...text.blocks, where] });
}

function letter(
  { shop }: Sender,
  readers: Pick<Letter, "to" | "replyTo">,
  text: LetterText,
): Letter {
  const subject = text.subject.charAt(0).toUpperCase() + text.subject.slice(1);
  const blocks = text.blocks.filter((block) => block !== null);
  return {
    from: shop,
    ...readers,
    subject,
    text: `${blocks.map(textOf).join("\n\n")}\n`,
    html: htmlOf(shop, subject, blocks),
  };
}

function textOf(block: Block): string {
  if (typeof block === "string") return block;
  if ("quote" in block) return `${block.by ? `${block.by}\n` : ""}> ${oneLine(block.quote)}`;
  if ("amounts" in block) {
    return block.amounts.map(([name, amount]) => `${name}: ${amount}`).join("\n");
  }
  if ("url" in block) return `${block.label}:\n${block.url}`;
  const notes = (block.giftNotes ?? []).map((note) => `Gift note: ${oneLine(note)}`);
  return [block.title, ...block.lines, ...notes].join("\n");
}

const SANS = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const SERIF = "font-family:Georgia,'Times New Roman',serif";
const P = "margin:0 0 16px";

/** Text in rem follows the reader's default size; mail programs without rem use px. */
const size = (px: number) => `font-size:${px}px;font-size:${px / 16}rem`;

/** Overrides the inline colors in mail programs that support dark mode. */
const DARK = raw(`@media (prefers-color-scheme:dark){
.page{background:#16130e!important;color:#f2ecdf!important}
.card{background:#211d16!important;border-color:#453e31!important}
.box{background:#2b251b!important}.soft{color:#bdb29e!important}
.leaf{color:#9ed4b6!important}.button{background:#9ed4b6!important;color:#0f241a!important}}`);

/** Mail programs read inline styles and tables, and load nothing. One column fits a phone. */
const htmlOf = (shop: string, subject: string, blocks: readonly Block[]): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3efe4;color:#231d15;${SANS};${size(16)};line-height:1.5">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3efe4"><tr><td align="center" style="padding:24px 12px">
<table class="card" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:540px;background:#fffdf8;border:1px solid #d5cbb6;border-radius:8px"><tr><td align="left" style="padding:20px;overflow-wrap:anywhere;word-break:break-word">
<p class="leaf" style="margin:0 0 20px;color:#1d4b3a;${SERIF};${size(18)}"><b>${shop}</b></p>
<h1 style="margin:0 0 16px;${SERIF};${size(22)};line-height:1.25">${subject}</h1>
${blocks.map(blockHtml)}
</td></tr></table>
</td></tr></table>
</body>
</html>
`.toString();

function blockHtml(block: Block) {
  if (typeof block === "string") return html`<p style="${P}">${lines(block)}</p>`;
  if ("quote" in block) {
    return html`${block.by ? html`<p style="margin:0 0 4px">${block.by}</p>` : ""}<blockquote class="box" style="margin:0 0 16px;padding:8px 14px;background:#f7efdc;border-left:3px solid #a4431c">${lines(block.quote)}</blockquote>`;
  }
  if ("amounts" in block) return amountsHtml(block);
  if ("url" in block) return linkHtml(block);
  const { title, lines: rest, giftNotes = [] } = block;
  return html`<div class="box" style="margin:0 0 16px;padding:14px 16px;background:#f7efdc;border-radius:6px"><b>${title}</b><br>${lines(rest.join("\n"))}${giftNotes.map(
    (note) =>
      html`<p style="margin:10px 0 0;${SERIF}"><span class="soft" style="color:#5d5446">Gift note:</span> <i>${lines(note)}</i></p>`,
  )}</div>`;
}

function amountsHtml({ amounts }: Amounts) {
  const rows = amounts.map(([name, amount], i) => {
    const isTotal = i === amounts.length - 1;
    const style = `padding:5px 0;vertical-align:top${isTotal ? ";border-top:1px solid #d5cbb6;font-weight:bold" : ""}`;
    return html`<tr><td style="${style}">${name}</td><td align="right" style="${style};padding-left:16px;white-space:nowrap">${amount}</td></tr>`;
  });
  return html`<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;${size(16)}">${rows}</table>`;
}

function linkHtml({ label, url, button }: Link) {
  // Tracking links come from the merchant: javascript: and the like stay text.
  if (!["https:", "http:"].includes(URL.parse(url)?.protocol ?? "")) {
    return html`<p style="${P}">${label}: ${url}</p>`;
  }
  return button
    ? html`<p style="margin:8px 0 20px"><a class="button" href="${url}" style="display:inline-block;padding:13px 24px;background:#1d4b3a;color:#fffdf8;border-radius:6px;font-weight:bold;text-align:center;text-decoration:none">${button}</a></p>`
    : html`<p style="${P}"><a class="leaf" href="${url}" style="color:#1d4b3a">${label}</a></p>`;
}

const lines = (text: string) =>
  text.split("\n").map((line, i) => (i > 0 ? html`<br>${line}` : line));
