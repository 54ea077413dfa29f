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

/** A string, with the colon where it is a name; or where an object begins or ends. */
const TOKEN = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}]/g;

/** Linear. Of text that is no JSON it may say anything: the parser refuses that. */
function repeatedName(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, written = "", colon] of text.matchAll(TOKEN)) {
    const names = open.at(-1);
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined && names) {
      const name = unescaped(written);
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
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
