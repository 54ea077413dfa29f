import compression from "compression";
import type { RequestHandler } from "express";
import { isCompressible, WORTH_COMPRESSING_BYTES } from "./representation.ts";

/**
 * Compresses what programs are answered, each answer anew: lists of orders, quotes, tools. Pages whose
 * address is a secret are left as they are, since their length would tell about what is in them.
 */
export const compressedAnswers: RequestHandler = (req, res, next) => {
  // What is asked for without it is sent as it is: no answer here may be cached for another client.
  if (req.headers["accept-encoding"] === undefined) next();
  else compress(req, res, next);
};

const compress = compression({
  threshold: WORTH_COMPRESSING_BYTES,
  filter: (_req, res) => isCompressible(String(res.getHeader("content-type") ?? "")),
});
