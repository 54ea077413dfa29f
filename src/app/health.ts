import { setTimeout as delay } from "node:timers/promises";
import type { Express } from "express";
import type { Api } from "../api/api.ts";
import { mountGet } from "../web/routes.ts";

/** Serves /healthz, which also identifies the installation for other processes, and /readyz (contract §16). */
export function mountHealth(
  app: Express,
  {
    service,
    edge,
    version,
    installation,
    endsWithClient,
  }: Api & { version: string; installation: string; endsWithClient: boolean },
): void {
  const { database, payments } = service.merchant;
  mountGet(app, "/healthz", (_req, res) => {
    const ends_with_client = endsWithClient || undefined;
    res.json({ status: "ok", service: "coffee-merchant", version, installation, ends_with_client });
  });
  const look = oneAtATime(database.health);
  mountGet(app, "/readyz", async (_req, res) => {
    let why: string | undefined;
    const looked = look().catch((error: Error) => {
      why = ((error.cause as Error | undefined) ?? error).message;
      return null;
    });
    const [health, toProvider] = await Promise.all([
      orNullIfLate(looked),
      orNullIfLate(payments.ping().then(() => true)),
    ]);
    const checks = {
      database: health !== null,
      // On a nearly full disk new quotes are refused, and paid ones are still settled.
      room: health?.room ?? false,
      provider: toProvider !== null,
    };
    const ready = Object.values(checks).every(Boolean) && !edge.leaving.aborted;
    if (!ready) edge.log.warn({ checks, why }, "not ready");
    res.status(ready ? 200 : 503).json({ status: ready ? "ready" : "not ready", checks });
  });
}

/** A check blocks the event loop for milliseconds. */
const SPACING_MS = 100;

/** Runs one check at a time, with a pause between them. Requests in between share the next one. */
function oneAtATime<T>(check: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null;
  let began = Number.NEGATIVE_INFINITY;
  const begin = () => {
    next = null;
    began = performance.now();
    return check();
  };
  return () => {
    next ??= delay(Math.max(0, began + SPACING_MS - performance.now())).then(begin);
    return next;
  };
}

/** Balancers ask every few seconds, and wait no longer. */
const READY_WITHIN_MS = 2_000;

/** Null for a failed or late check. */
const orNullIfLate = <T>(check: Promise<T>): Promise<T | null> =>
  Promise.race([check.catch(() => null), delay(READY_WITHIN_MS, null, { ref: false })]);
