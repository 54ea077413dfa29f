import { isUtf8 } from "node:buffer";
import { printable } from "../domain/shared/input-problems.ts";

/** The type of what `verifyJson` throws: its message is for the caller. */
export const UNCLEAR_BODY = "body.unclear";

/**
 * Refuses what a JSON parser takes without a word, and reads as something that was not meant: bytes that
 * are no UTF-8, and a name that one object has twice. For a body whose length was checked.
 */
export function verifyJson(_req: unknown, _res: unknown, body: Buffer): void {
  if (!isUtf8(body)) throw unclear("The body is not valid UTF-8.");
  const twice = repeatedName(body.toString());
  if (twice !== undefined) {
    throw unclear(`"${printable(twice)}" stands twice in one object. Send it once.`);
  }
}

const unclear = (message: string): Error =>
  Object.assign(new Error(message), { type: UNCLEAR_BODY, status: 400 });

/**
 * Linear, and letter by letter: every body comes by here. Of text that is no JSON it may say anything:
 * the parser refuses that.
 */
function repeatedName(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === "{") open.push(new Set());
    else if (letter === "}") open.pop();
    if (letter !== '"') continue;
    const from = at + 1;
    at = endOfString(text, from);
    const names = open.at(-1);
    if (!names || !isBeforeColon(text, at + 1)) continue;
    const name = unescaped(text.slice(from, at));
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}

/** Where the quote stands that ends a string; the text's end where none does. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at]!)) at++;
  return text[at] === ":";
}

/** `\u0061` and `a` are one name. */
function unescaped(written: string): string {
  if (!written.includes("\\")) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}
