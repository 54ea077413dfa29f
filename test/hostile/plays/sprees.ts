/** The same thing very often. */
import { atMost, count, must, type Play, statuses } from "../play.ts";
import { stranger, type TimedAnswer } from "../stage.ts";

const times = <T>(n: number, make: (i: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => make(i));

export const registrations: Play = {
  name: "H8 registrations",
  tried: "140 registrations at once from 70 addresses of one /64, and mapped IPv4 addresses",
  short: true,
  async play({ ask }) {
    const body = { name: "A", contact_email: "a@example.com" };
    const join = (address: string) => ask(address, "/v1/agents/register", { body });
    const [six, four] = await Promise.all([
      Promise.all(times(70, (i) => join(`2001:db8:ffff:1:${i + 1}::7`))),
      Promise.all(times(70, (i) => join(i % 2 ? "::ffff:198.51.100.9" : "198.51.100.9"))),
    ]);
    return {
      answered: statuses([...six, ...four]),
      held: `${count(six, 201) + count(four, 201)} keys`,
      bounds: [
        atMost("keys for one /64", count(six, 201), 60),
        atMost("keys for one IPv4 address", count(four, 201), 60),
      ],
    };
  },
};

export const deskSecrets: Play = {
  name: "H8 secrets",
  tried: "200 wrong desk secrets from 100 networks",
  short: true,
  async play({ ask, merchant }) {
    const answers = await Promise.all(
      times(200, (i) =>
        ask(`2001:db8:aaaa:${(i >> 1).toString(16)}::${i}`, "/desk/sign-in", {
          method: "POST",
          raw: `secret=desk_wrong_${i}`,
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
      ),
    );
    const audit = JSON.stringify(await merchant("audit", "list")).length;
    return {
      answered: statuses(answers),
      held: `${audit} bytes of the merchant's log`,
      bounds: [
        atMost("secrets that were looked at", count(answers, 403), 30),
        must("none was let in", count(answers, 303) === 0),
      ],
    };
  },
};

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

export const batches: Play = {
  name: "H6 batches",
  tried: "20 batches of 20 tools/list, one of 100, then single lists, prompts and resources",
  short: true,
  async play({ mcp }) {
    const address = stranger();
    const batch = times(20, (id) => ({ ...LIST, id }));
    const oversized = times(100, (id) => ({ ...LIST, id }));
    const many = [];
    for (let i = 0; i < 20; i++) many.push(await mcp(address, batch));
    const methods = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
    const single = [];
    for (let i = 0; i < 60; i++) {
      single.push(await mcp(address, { ...LIST, method: methods[i % methods.length] }));
    }
    const refused = await mcp(stranger(), oversized);
    const bytes = [...many, ...single].reduce((sum, { text }) => sum + text.length, 0);
    return {
      answered: `${statuses([...many, ...single])}, ${Math.round(bytes / 1000)} kB`,
      bounds: [
        atMost("entries that were answered", count(many, 200) * 20 + count(single, 200), 240),
        must("a batch of 100 was refused", refused.status === 413),
        atMost("kB in all", bytes / 1000, 20_000),
      ],
    };
  },
};

export const readiness: Play = {
  name: "H7 readiness",
  tried: "600 times /readyz, 60 at once",
  short: true,
  async play({ ask }) {
    const answers: TimedAnswer[] = [];
    for (let i = 0; i < 10; i++) {
      answers.push(...(await Promise.all(times(60, () => ask(stranger(), "/readyz")))));
    }
    return {
      answered: statuses(answers),
      bounds: [must("always ready", count(answers, 200) === answers.length)],
    };
  },
};
