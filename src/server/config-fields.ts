import { z } from "zod";
import { type RateLimits, readRateLimits } from "../domain/shared/rate-limits.ts";

/** What a variable of the environment may be; each says by its name what is wrong with it. */

export const whole = <F extends number | undefined>(
  name: string,
  min: number,
  max: number,
  fallback: F,
) =>
  z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined || text === "") return fallback;
      const value = Number(text);
      if (Number.isInteger(value) && value >= min && value <= max) return value;
      context.addIssue(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
      return z.NEVER;
    });

export const oneOf = <const T extends string>(name: string, values: readonly T[], fallback: T) =>
  z
    .string()
    .optional()
    .transform((text, context): T => {
      if (text === undefined || text === "") return fallback;
      const value = values.find((v) => v === text);
      if (value !== undefined) return value;
      context.addIssue(`${name} must be one of ${values.join(", ")}, not "${text}".`);
      return z.NEVER;
    });

export const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined);

export const rateLimits = z
  .string()
  .optional()
  .transform((text, context): RateLimits => {
    const read = readRateLimits(text?.trim() || "on");
    if ("limits" in read) return read.limits;
    context.addIssue(`RATE_LIMITS ${read.problem}.`);
    return z.NEVER;
  });

export const isEmail = (value: string | undefined) =>
  value === undefined || /^[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+$/.test(value);

/** Looking at the default would load all of Node's calendars at every start. */
export function isTimeZone(value: string | undefined): boolean {
  if (value === undefined) return true;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

export const list = (value: string | undefined): string[] =>
  (value ?? "").split(",").flatMap((part) => (part.trim() ? [part.trim()] : []));

export const isHostName = (value: string): boolean =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(value) && URL.canParse(`https://${value}`);

export function isBaseUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  const bare = url.pathname === "/" && !url.search && !url.hash && !url.username;
  return bare && (url.protocol === "http:" || url.protocol === "https:");
}
