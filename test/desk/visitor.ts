import { form } from "../support/purchase.ts";
import { type Answer, send } from "../support/shopper.ts";

export const SECRET = "a secret for tests";

/** Somebody at the desk, with or without a session; no redirects followed. */
export interface Visitor {
  get(path: string): Promise<Answer>;
  post(path: string, fields: Record<string, string>, origin?: string): Promise<Answer>;
  cookie: string;
}

export function visitor(baseUrl: string, cookie = ""): Visitor {
  const headers = { cookie, accept: "text/html" };
  return {
    cookie,
    get: (path) => send(baseUrl, path, { headers }),
    post: (path, fields, origin) => {
      const posted = form(fields);
      const from = origin === undefined ? {} : { origin };
      return send(baseUrl, path, {
        ...posted,
        headers: { ...posted.headers, ...headers, ...from },
      });
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

/** Words of a page, as they are read. */
export const text = ({ text }: Answer) =>
  text
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
