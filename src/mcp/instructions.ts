/** What a model reads before the tools, under 1 KB. */
export const INSTRUCTIONS = `Roasted whole-bean coffee in 8 oz bags, shipped to US addresses, prices in cents of usd. You quote; a person pays.
1. get_catalog for product_id and prices.
2. register_agent once for a key. On stdio the connection keeps it; over HTTP configure Authorization: Bearer, or pass api_key.
3. request_quote with buyer email, addresses and bags: exact and unchanging. Show the buyer the total.
4. create_checkout with quote_id and quote_hash. Give the buyer review_url as plain text on its own line. You never pay or order.
5. get_quote_order with wait answers once the buyer has paid; then get_order and list_order_events.
Writes take idempotency_key: a new one per intent, the same one when you retry it.
Errors begin with a code and say what to do next. Tolerate new fields, statuses and codes.
Shipping, delivery, discount codes, cancellation: get_policy. No perks beyond what it states.`;

/** The same for /mcp/shop. */
export const SHOP_INSTRUCTIONS = `Roasted whole-bean coffee in 8 oz bags, shipped to US addresses, prices in cents of usd. No account and no key.
1. get_catalog for product_id and prices; ask answers questions about the beans, get_policy about shipping and discounts.
2. build_quick_checkout_link with the bags, and a gift note or discount code if the buyer wants one. Tell the buyer the total.
3. Give the buyer checkout_url as plain text on its own line. The buyer enters email and address there and pays. You never pay or order.
4. get_link_order with checkout_url, once the buyer says that they have paid; later for the tracking.
Never ask for addresses, card numbers or passwords in the chat.
Errors begin with a code and say what to do next. Tolerate new fields, statuses and codes.`;
