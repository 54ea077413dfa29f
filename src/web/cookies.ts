import type { CookieOptions, Request } from "express";

/** Options of each cookie of ours: hidden from scripts, and https only if BASE_URL is https. */
export const cookieOptions = ({ baseUrl }: { baseUrl: string }, path: string) =>
  ({
    httpOnly: true,
    sameSite: "lax",
    path,
    secure: baseUrl.startsWith("https:"),
  }) satisfies CookieOptions;

/** The request's cookies by name. A repeated name keeps its last value. */
export const cookies = (req: Request): Map<string, string> =>
  new Map(
    (req.headers.cookie ?? "").split(";").map((pair): [string, string] => {
      const [name = "", value = ""] = pair.split("=", 2);
      return [name.trim(), value.trim()];
    }),
  );
