import type { Request } from "express";

/** The request's cookies by name. A repeated name keeps its last value. */
export const cookies = (req: Request): Map<string, string> =>
  new Map(
    (req.headers.cookie ?? "").split(";").map((pair): [string, string] => {
      const [name = "", value = ""] = pair.split("=", 2);
      return [name.trim(), value.trim()];
    }),
  );
