import type { Express } from "express";
import { note, noteRefusal } from "../core/request-note.ts";
import { signedBody } from "../web/body.ts";
import { onlyMethods } from "../web/routes.ts";
import type { Api } from "./api.ts";

/**
 * Receives the provider's events (contract §5). The raw body is verified before anything is parsed, then
 * stored and committed before the 200. Settling follows the response.
 */
export function mountWebhook(app: Express, { service, edge }: Api): void {
  const { webhooks } = service.merchant;
  app
    .route("/webhooks/stripe")
    .post(signedBody(), async (req, res) => {
      const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      const received = await webhooks.receive(body, req.header("stripe-signature"));
      if (!received) {
        noteRefusal("BAD_SIGNATURE");
        res.status(400).json({ received: false });
        return;
      }
      note({ webhook: received.event.id });
      res.json({ received: true });
      const { event, fresh } = received;
      if (!fresh) return;
      webhooks.process(event).catch((error: unknown) => {
        edge.log.error(
          { webhook: event.id, error },
          "webhook not processed; the next background run retries",
        );
      });
    })
    .all(onlyMethods(["POST"]));
}
