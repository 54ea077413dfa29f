import type { ServerResponse } from "node:http";

/**
 * Aborted when nobody waits for the answer any more: the client has gone, or the service stops. Made by
 * who waits, and when: hardly any call does, and V8 frees a signal that follows another one late.
 */
export type CallerGone = () => AbortSignal;

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
