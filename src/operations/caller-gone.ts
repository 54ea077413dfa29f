import type { ServerResponse } from "node:http";
import type { CallerGone } from "./operation.ts";

export const callerGone =
  (response: ServerResponse, leaving: AbortSignal): CallerGone =>
  () => {
    const controller = new AbortController();
    // Only for who went away: aborting makes an exception with a stack, expensive on every good answer.
    const closed = () => {
      if (!response.writableFinished) controller.abort();
    };
    if (response.destroyed) closed();
    else response.once("close", closed);
    return AbortSignal.any([controller.signal, leaving]);
  };
