import { z } from "zod";
import { decimal } from "../core/fields.ts";
import { readRateLimits } from "../core/rate-limits.ts";

/** What a variable of the environment may be. What is wrong with it is said behind its name. */

export const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined);

/** Text that has a form, where it is set at all. */
export const formed = (isGood: (value: string) => boolean, says: string) =>
  text.refine((value) => value === undefined || isGood(value), says);

/** Text that stands for something else: for its value, or for what is wrong with it. */
const meaning = <T>(
  read: (value: string | undefined) => { value: T } | { problem: string },
  of: z.ZodType<string | undefined> = text,
) =>
  of.transform((value, context): T => {
    const found = read(value);
    if ("value" in found) return found.value;
    context.addIssue(found.problem);
    return z.NEVER;
  });

/** As it was typed: what JavaScript would take for a number besides is told, not guessed at. */
export const whole = <F extends number | undefined>(min: number, max: number, fallback: F) =>
  meaning<number | F>((typed = "") => {
    if (typed.trim() === "") return { value: fallback };
    const value = decimal(typed);
    if (value !== null && value >= min && value <= max) return { value };
    const range = `must be a whole number from ${min} to ${max} in plain digits`;
    return { problem: `${range}, not ${JSON.stringify(typed)}.` };
  }, z.string().optional());

export const oneOf = <const T extends string>(values: readonly T[], fallback: T) =>
  meaning<T>((text = fallback) => {
    const value = values.find((one) => one === text);
    return value === undefined
      ? { problem: `must be one of ${values.join(", ")}, not "${text}".` }
      : { value };
  });

export const rateLimits = meaning((text = "on") => {
  const read = readRateLimits(text);
  return "limits" in read ? { value: read.limits } : { problem: `${read.problem}.` };
});

export const isEmail = (value: string): boolean => /^[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+$/.test(value);

/**
 * By the name that the calendar and the process's own clock both know: to the second of them
 * "europe/berlin" and "+02:00" are UTC. Looking at the default would load all of Node's calendars at every start.
 */
export const timeZone = meaning<string | undefined>((name) => {
  if (name === undefined) return { value: undefined };
  const value = knownTimeZone(name);
  return value === undefined || /^[+-]/.test(value)
    ? { problem: "must be the name of a time zone, such as America/Chicago." }
    : { value };
});

function knownTimeZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

export const list = (value: string | undefined): string[] =>
  (value ?? "").split(",").flatMap((part) => (part.trim() ? [part.trim()] : []));

export const isHostName = (value: string): boolean =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(value) && URL.canParse(`https://${value}`);

/** Compared letter by letter with what a browser sends, so that a path or a final slash never fits. */
export const isOrigin = (value: string): boolean =>
  value === "*" || /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*A-Z]+$/.test(value);

/** With or without scheme and port. */
export const isHost = (value: string): boolean =>
  !value.includes("*") && URL.canParse(value.includes("://") ? value : `http://${value}`);

export function isBaseUrl(value: string): boolean {
  const url = URL.parse(value);
  const bare = url?.pathname === "/" && !url.search && !url.hash && !url.username;
  return bare && (url.protocol === "http:" || url.protocol === "https:");
}

/** An address to listen on, as the host part of an address to call. */
export const urlHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
};

/** Where to listen: only this machine reaches the default. */
export const host = formed(
  (value) => isBaseUrl(`http://${urlHost(value)}`),
  "must be an address or a name of this machine, such as 0.0.0.0.",
).transform((value) => value ?? "127.0.0.1");

/** Of what can be said the texts that apply. */
export const applying = (sayings: readonly (readonly [applies: boolean, text: string])[]) =>
  sayings.flatMap(([applies, text]) => (applies ? [text] : []));
