import type { Express, Request, Response } from "express";
import { z } from "zod";
import type { Api } from "../api/api.ts";
import { Email, meantEmail } from "../core/email.ts";
import { newNonce } from "../core/ids.ts";
import { LIMITS } from "../core/policy.ts";
import { parseInput } from "../core/read-input.ts";
import { MessageText } from "../merchant/feedback.ts";
import { fieldIn } from "../web/body.ts";
import { EMAIL, type FieldProblem, formField, problemSummary } from "../web/form-parts.ts";
import { html } from "../web/html.ts";
import type { Page } from "../web/layout.ts";
import { fieldProblems, sendFormAgain, sendPage } from "../web/page-answers.ts";
import { refusalOf } from "../web/problem-answers.ts";
import { mountForm, tokenOf } from "../web/routes.ts";
import { type MeantEmail, meantNotice, sureOfField } from "./meant-email.ts";
import { reviewPath } from "./review.ts";

const CONTACT_PATH = "/contact";

/** The message form of a buyer. On an order's page its order is attached. */
export function mountContact(app: Express, { edge, service }: Api): void {
  const { merchant } = service;

  function mount(path: string, about: (req: Request) => Promise<About>): void {
    const show = (view: ContactView, res: Response, outcome?: Parameters<typeof sendPage>[2]) => {
      const page = contactPage(view);
      if (outcome === undefined) sendPage(res, page);
      else sendFormAgain(res, page, outcome);
    };
    mountForm(app, edge, path, {
      get: async (req, res) => {
        const order = await about(req);
        show({ ...order, url: req.path, values: { email: order.email, form: newNonce() } }, res);
      },
      post: async (req, res) => {
        const order = await about(req);
        const email = fieldIn(req.body, "corrected_email") || fieldIn(req.body, "email");
        const message = fieldIn(req.body, "message");
        const form = fieldIn(req.body, "form");
        const values = { email, message, form: form || newNonce() };
        const view = { ...order, url: req.path, values };
        const read = parseInput(ContactForm, { email, message });
        if (!read.success) {
          const problems = read.issues.map(({ path: [field], message }) => ({
            field: String(field),
            message,
          }));
          return show({ ...view, problems }, res, 422);
        }
        const meant = meantEmail(read.data.email);
        if (meant !== null && fieldIn(req.body, "sure_of") !== read.data.email) {
          return show({ ...view, meant: { email: read.data.email, meant } }, res, 422);
        }
        try {
          await merchant.messages.fromBuyer({ ...read.data, orderId: order.orderId }, values.form);
        } catch (error) {
          const refused = refusalOf(error);
          const problems = fieldProblems(refused, (pointer) => pointer.slice(1));
          return show({ ...view, problems }, res, refused);
        }
        sendPage(res, sentPage({ ...order, email: read.data.email }));
      },
    });
  }

  mount(CONTACT_PATH, async () => ({ orderId: null, email: "" }));
  mount("/review/:token/message", async (req) => {
    const { quote, state } = await merchant.reviews.find(tokenOf(req));
    return { orderId: state.order_id, email: quote.buyer_email, back: reviewPath(req) };
  });
}

const ContactForm = z.strictObject({ email: Email, message: MessageText });

interface About {
  orderId: string | null;
  email: string;
  /** The order's page. */
  back?: string;
}

interface ContactView extends About {
  url: string;
  values: { email: string; message?: string; form: string };
  problems?: FieldProblem[];
  meant?: MeantEmail;
}

const FORM = "contact-form";

function contactPage({ url, values, problems = [], meant, orderId, back }: ContactView): Page {
  const form = html`<form class="slip form" id="${FORM}" method="post" action="${url}" novalidate>
    ${formField({ ...EMAIL, label: "Your email, for our answer", value: values.email }, problems)}
    ${formField(
      {
        name: "message",
        label: "Your message",
        value: values.message ?? "",
        area: true,
        hint: "No card numbers, please.",
        maxlength: LIMITS.feedback_characters,
      },
      problems,
    )}
    <input type="hidden" name="form" value="${values.form}">
    ${sureOfField(meant?.email)}
    <button type="submit">Send</button>
  </form>`;
  return {
    title: problems.length > 0 || meant ? "Please check your message" : "Write to us",
    heading: "Write to us",
    lede: orderId
      ? "We see which order you mean, and answer by email."
      : "We answer by email. For an order, use the link on its page, or tell us its number.",
    top: html`${problemSummary(problems, form)} ${meant && meantNotice(meant, FORM)}`,
    body: html`${form} ${back && html`<p><a class="quiet-link" href="${back}">Back to your order</a></p>`}`,
  };
}

const sentPage = ({ back, email }: Pick<About, "back" | "email">): Page => ({
  title: "We got your message",
  lede: html`Thank you. We’ll answer to <bdi>${email}</bdi>.`,
  body: html`<p><a class="button" href="${back ?? "/"}">${back ? "Back to your order" : "Back to the shop"}</a></p>`,
});
