import { form } from "../../support/purchase.ts";
import { type Answer, type Send, send } from "../../support/shopper.ts";

/** Headers of a browser that opens a page. */
export const BROWSER = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "sec-fetch-dest": "document",
};

/** A buyer's form values on `/checkout/{token}`. */
export const FIELDS = {
  email: "buyer@example.com",
  name: "Test Buyer",
  line1: "1 Main Street",
  line2: "",
  city: "Austin",
  region: "TX",
  postal_code: "78701",
};

/** A link's query as text or parameters. */
export type Link = string | Record<string, string>;

/** Opens a link. */
export function openLink(baseUrl: string, link: Link, headers: Record<string, string> = {}) {
  const query = typeof link === "string" ? link : new URLSearchParams(link).toString();
  return send(baseUrl, `/v1/quick-checkout?${query}`, { headers });
}

/** Opens a link and returns the address of its page. */
export async function cartPage(baseUrl: string, link: Link): Promise<string> {
  const opened = await openLink(baseUrl, link);
  const page = opened.headers.get("location");
  if (page === null) throw new Error(`the link did not open: ${opened.text}`);
  return page;
}

/** Sends the page's form with its `accept_total`, except for these values. */
export function submit(
  baseUrl: string,
  page: string,
  fields: Record<string, string>,
): Promise<Answer> {
  return send(baseUrl, page, form({ ...FIELDS, ...fields }));
}

/** A browser: it keeps cookies. */
export function visitor(baseUrl: string) {
  const cookies = new Map<string, string>();
  const visit = async (path: string, options: Send = {}): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...BROWSER, ...(cookie && { cookie }), ...options.headers };
    const answer = await send(baseUrl, path, { ...options, headers });
    for (const set of (answer.headers.get("set-cookie") ?? "").split(/, (?=\w+=)/)) {
      const [, name, value] = /^(\w+)=([^;]*)/.exec(set) ?? [];
      if (name && value) cookies.set(name, value);
      else if (name) cookies.delete(name);
    }
    return answer;
  };
  return {
    send: visit,
    /** Presses a button of a page's form, with other fields. */
    press: (page: string, fields: Record<string, string>) => visit(page, form(fields)),
    submit: (page: string, fields: Record<string, string>) =>
      visit(page, form({ ...FIELDS, ...fields })),
  };
}

/** The total in a page's hidden field, in minor units. */
export const acceptTotal = (page: string): string | undefined =>
  /name="accept_total" value="(\d+)"/.exec(page)?.[1];
