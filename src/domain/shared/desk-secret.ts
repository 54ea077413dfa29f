import { audited, type By } from "./audit.ts";
import { insert, type Rule, read, update } from "./command.ts";

/** Where the hash of the merchant's secret is kept; the secret itself is nowhere (contract §16). */
export const DESK_SECRET_SETTING = "desk.secret_hash";

interface NewSecret {
  secretHash: string;
}

const known = () => [read("settings", { name: DESK_SECRET_SETTING })];

/** The first start's secret stays: whoever comes second is told false, and throws theirs away. */
export const firstDeskSecret: Rule<NewSecret, boolean> = {
  reads: known,
  decide(c, s) {
    if (s.settings.length > 0) return { reply: false, writes: [] };
    const row = { name: DESK_SECRET_SETTING, value: c.secretHash };
    return { reply: true, writes: [insert("settings", row)] };
  },
};

/** The merchant has lost the secret: a new one, and whoever came in with the old one is out. */
export const renewDeskSecret: Rule<NewSecret & { now: number; by: By }, null> = {
  reads: known,
  decide(c, s) {
    const name = DESK_SECRET_SETTING;
    const value = c.secretHash;
    return {
      reply: null,
      writes: [
        s.settings.length > 0
          ? update("settings", { name }, { value })
          : insert("settings", { name, value }),
        audited(c.by, "desk.renew", "desk", c.now),
      ],
    };
  },
};

/** Somebody came in with the secret: an owner who did not is to see that. */
export const deskEntered: Rule<{ now: number; by: By }, null> = {
  reads: () => [],
  decide: ({ by, now }) => ({ reply: null, writes: [audited(by, "desk.sign-in", "desk", now)] }),
};
