import { type State, setSetting } from "../shared/command.ts";

/**
 * Whose turn comes when, without reading a queue: its setting counts who ever joined and says when the
 * last one did. Written by every join, under the lock that all who join wait for.
 */
interface Turns {
  joined: number;
  /** When the last one joined, in milliseconds. */
  last: number;
}

/** A queue as it was at one moment before. */
export interface KnownQueue {
  waiting: number;
  /** When the last of those who wait or were offered joined; 0 where there are none. */
  last: number;
  /** The setting's value then; null before the first one joined. */
  turns: string | null;
}

export const turnSetting = (productId: string): string => `waitlist:${productId}`;

const turnsOf = (value: string | null): Turns =>
  value === null ? { joined: 0, last: 0 } : (JSON.parse(value) as Turns);

/** Strictly after all who are there, so that no entry comes before one of them. */
export function nextTurn(
  { now, bean, queue }: { now: number; bean: { product_id: string }; queue: KnownQueue },
  s: State,
) {
  const name = turnSetting(bean.product_id);
  const turns = turnsOf(s.settings[0]?.value ?? null);
  const at = Math.max(now, turns.last + 1, queue.last + 1);
  const value = JSON.stringify({ joined: turns.joined + 1, last: at } satisfies Turns);
  const counted = setSetting(s, name, value);
  return { at, ahead: queue.waiting + turns.joined - turnsOf(queue.turns).joined, counted };
}
