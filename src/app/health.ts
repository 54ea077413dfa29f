import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Express } from "express";
import type { Api } from "../api/api.ts";
import { derivedKey } from "../core/ids.ts";
import type { Installation } from "../merchant/installation.ts";
import { mountGet } from "../web/routes.ts";
import { COMMIT } from "./version.ts";

/**
 * Serves /healthz, which also identifies the installation for other processes, and /readyz (contract §16).
 * An instance is ready as long as its database answers: while the provider, the mail server or the disk
 * fails, the catalog, the pages, paid orders and webhooks must stay reachable.
 */
export function mountHealth(
  app: Express,
  {
    service,
    edge,
    version,
    installation,
    endsWithClient,
  }: Api & {
    version: string;
    installation: Pick<Installation, "id" | "secret">;
    endsWithClient: boolean;
  },
): void {
  const { merchant } = service;
  const details = lastKnown(async () => {
    const [health, mail, provider] = await Promise.all([
      orNullIfLate(merchant.database.health()),
      orNullIfLate(merchant.mail.waiting()),
      orNullIfLate(merchant.payments.ping().then(() => true)),
    ]);
    return {
      database: health !== null,
      // On a nearly full disk new quotes are refused, and paid ones are still settled.
      room: health?.room ?? null,
      provider: provider !== null,
      mail: mail && mail.oldestSeconds < MOST_MAIL_SECONDS,
    };
  });
  mountGet(app, "/healthz", (req, res) => {
    const ends_with_client = endsWithClient || undefined;
    const { challenge } = req.query;
    const isAsked = typeof challenge === "string" && challenge.length <= MOST_CHALLENGE;
    const proof = isAsked ? proofOf(installation.secret, challenge) : undefined;
    const { id } = installation;
    const build = { service: "coffee-merchant", version, commit: COMMIT };
    const about = { status: "ok", ...build, installation: id, proof };
    res.json({ ...about, ends_with_client, checks: details() });
  });
  const look = oneAtATime(merchant.database.health);
  mountGet(app, "/readyz", async (_req, res) => {
    let why: string | undefined;
    const looked = look().catch((error: Error) => {
      why = ((error.cause as Error | undefined) ?? error).message;
      return null;
    });
    const database = (await orNullIfLate(looked)) !== null;
    const draining = edge.leaving.aborted;
    const ready = database && !draining;
    if (!ready) edge.log.warn({ checks: { database }, draining, why }, "not ready");
    res
      .status(ready ? 200 : 503)
      .json({ status: ready ? "ready" : "not ready", checks: { database } });
  });
}

const MOST_CHALLENGE = 64;

/** Shows that a process knows the installation's secret: its id is public, and any process can repeat it. */
export const proofOf = (secret: Buffer, challenge: string): string =>
  createHmac("sha256", derivedKey(secret, "health challenge"))
    .update(challenge)
    .digest("base64url");

/** A letter that waits for this long points to the mail server. */
const MOST_MAIL_SECONDS = 3600;

const DETAILS_EVERY_MS = 5_000;

/** Returns the last result at once, null at first, and looks again at most every five seconds. */
function lastKnown<T>(look: () => Promise<T>): () => T | null {
  let known: T | null = null;
  let began = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - began >= DETAILS_EVERY_MS) {
      began = performance.now();
      void look().then((found) => {
        known = found;
      });
    }
    return known;
  };
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
