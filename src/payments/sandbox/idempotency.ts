/**
 * Stripe's Idempotency-Key: the same key with the same body gives the same answer, with another
 * body an error, and while the first is still being worked on a conflict that the library retries
 * by itself.
 */
import { randomBytes } from "node:crypto";
import { DAY_MS } from "../../core/policy.ts";
import { sha256 } from "../../core/sha256.ts";
import { ApiError } from "./errors.ts";
import { mutate, type SandboxState } from "./state.ts";

const KIND = "idempotency";
const KEPT_MS = DAY_MS;
/**
 * After this the process that began is taken for dead and another may go on in its place: much longer
 * than any answer takes, and no longer than a buyer waits.
 */
const ABANDONED_MS = 5_000;

export interface Answer {
  status: number;
  body: string;
  /** The repeat of one that was given before. */
  replayed?: true;
}

interface Claim {
  fingerprint: string;
  /** Ids are made from it, so that going on after a crash makes the same objects, not new ones. */
  seed: string;
  firstAt: number;
  startedAt: number;
  answer: Answer | null;
}

export const newSeed = (): string => randomBytes(24).toString("hex");

function check(claim: Claim, fingerprint: string, key: string, now: number): void {
  if (claim.fingerprint !== fingerprint) {
    const message =
      "Keys for idempotent requests can only be used with the same parameters they were first " +
      `used with. Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new ApiError(400, message, undefined, undefined, "idempotency_error");
  }
  if (!claim.answer && now - claim.startedAt < ABANDONED_MS) {
    const message = `There is currently another in-progress request using this key '${key}'.`;
    const code = "idempotency_key_in_use";
    throw new ApiError(409, message, code, undefined, "idempotency_error");
  }
}

export interface Idempotent {
  key: string;
  /** Method, path and body as they came. */
  request: string;
  now: number;
  /** Throws where the parameters are wrong: such an answer is not kept, and the key stays free. */
  prepare: () => (seed: string) => Promise<Answer>;
}

export async function answerOnce(
  state: SandboxState,
  { key, request, now, prepare }: Idempotent,
): Promise<Answer> {
  const id = `idem_${sha256(key)}`;
  const fingerprint = sha256(request);
  const row = await state.get(id);
  const known = row ? (JSON.parse(row.body) as Claim) : null;
  const current = known && now - known.firstAt < KEPT_MS ? known : null;
  if (current) check(current, fingerprint, key, now);
  if (current?.answer) return { ...current.answer, replayed: true };
  const run = prepare();
  const claim: Claim = {
    fingerprint,
    seed: current?.seed ?? newSeed(),
    firstAt: current?.firstAt ?? now,
    startedAt: now,
    answer: null,
  };
  if (!(await state.put(id, KIND, JSON.stringify(claim), row?.version ?? 0))) {
    return answerOnce(state, { key, request, now, prepare });
  }
  const keep = (change: Partial<Claim>) =>
    mutate<Claim>(state, id, (stored) => ({ next: { ...stored, ...change }, kind: KIND }));
  try {
    const answer = await run(claim.seed);
    await keep({ answer });
    return answer;
  } catch (error) {
    await keep({ startedAt: 0 });
    throw error;
  }
}
