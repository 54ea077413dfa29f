import { type FormFields, form, purchase } from "../support/purchase.ts";
import { type Answer, send } from "../support/shopper.ts";

export const SECRET = "a-secret-for-tests-with-128-bits-0f3a";

/** Somebody at the desk, with or without a session; no redirects followed. */
export interface Visitor {
  get(path: string): Promise<Answer>;
  post(path: string, fields: FormFields, origin?: string): Promise<Answer>;
  cookie: string;
}

export function visitor(baseUrl: string, cookie = ""): Visitor {
  /** The sentence of the last act, as the browser keeps it for the next page. */
  let said = "";
  const headers = () => ({
    cookie: [cookie, said].filter(Boolean).join("; "),
    accept: "text/html",
  });
  const kept = (answer: Answer): Answer => {
    const [set, sentence] = /desk_said=([^;,]*)/.exec(answer.headers.get("set-cookie") ?? "") ?? [];
    if (set !== undefined) said = sentence === "" ? "" : set;
    return answer;
  };
  return {
    cookie,
    get: async (path) => kept(await send(baseUrl, path, { headers: headers() })),
    post: async (path, fields, origin) => {
      const posted = form(fields);
      const from = origin === undefined ? {} : { origin };
      return kept(
        await send(baseUrl, path, {
          ...posted,
          headers: { ...posted.headers, ...headers(), ...from },
        }),
      );
    },
  };
}

export const signIn = (baseUrl: string, secret = SECRET, more: Record<string, string> = {}) =>
  visitor(baseUrl).post("/desk/sign-in", { secret, ...more });

/** The cookie that an answer sets, as a browser sends it back. */
export const cookieOf = (answer: Answer): string =>
  (answer.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";

export async function merchantAt(baseUrl: string, secret = SECRET): Promise<Visitor> {
  return visitor(baseUrl, cookieOf(await signIn(baseUrl, secret)));
}

/** A paid order, with the merchant's buttons and its agent's requests. */
export async function orderAt(baseUrl: string, merchant: Visitor, shipments = 1) {
  const gift_notes = ["<b>For</b> you"];
  const { order, key, reviewUrl } = await purchase(baseUrl, { gift_notes, shipments });
  const path = `/desk/orders/${order.id}`;
  const press = (act: string, fields: Record<string, string> = {}) =>
    merchant.post(path, { act, ...fields });
  const asked = async () => {
    const body = { reason_code: "CHANGED_MIND", message: "No </blockquote> more" };
    const to = `/v1/orders/${order.id}/cancel-requests`;
    return (await send(baseUrl, to, { key, body })).body.id as string;
  };
  const now = async () => (await send(baseUrl, `/v1/orders/${order.id}`, { key })).body;
  /** Version of the order on a page opened now. */
  const seen = async () =>
    /name="seen" value="(\d+)"/.exec((await merchant.get(path)).text)?.[1] ?? "";
  const shipment = order.shipments[0].id as string;
  return { path, press, seen, asked, now, shipment, order, key, reviewUrl };
}

/** Visible text of a page. */
export const text = ({ text }: Answer) =>
  text
    .replaceAll("<wbr>", "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
