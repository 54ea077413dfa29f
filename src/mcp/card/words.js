// Parts of a card. What comes from elsewhere becomes text and nothing else: no markup is ever parsed.

/** @typedef {Node | string | null | undefined | false} Part */

/**
 * @param {string} tag with its class behind a dot
 * @param {...Part} parts
 */
export function el(tag, ...parts) {
  const [name = "div", ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(" ");
  element.append(...parts.filter((part) => part !== null && part !== undefined && part !== false));
  return element;
}

/**
 * @param {string} label
 * @param {() => Promise<void>} act
 * @param {string} [kind]
 */
export function button(label, act, kind = "button") {
  const element = /** @type {HTMLButtonElement} */ (el(kind, label));
  element.type = "button";
  element.addEventListener("click", async () => {
    element.disabled = true;
    await act().finally(() => {
      element.disabled = false;
    });
  });
  return element;
}

/** @param {number} minor */
export const money = (minor) => `${minor < 0 ? "−" : ""}$${(Math.abs(minor) / 100).toFixed(2)}`;

/** @param {number} count */
export const bags = (count) => `${count} ${count === 1 ? "bag" : "bags"}`;

/**
 * @param {string} time
 * @param {Intl.DateTimeFormatOptions} [how]
 */
export const day = (time, how = { month: "long", day: "numeric" }) =>
  new Date(time).toLocaleDateString("en-US", how);

/** @param {string} time */
export const moment = (time) =>
  new Date(time).toLocaleString("en-US", {
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });

/**
 * Two columns: what, and how much.
 * @param {string} what
 * @param {string} amount
 * @param {string} [kind]
 */
export const sum = (what, amount, kind = "div.sum") =>
  el(kind, el("span", what), el("span.amount", amount));

/**
 * From coffee to total, as on the pages.
 * @param {{ subtotal_minor: number, courtesy: { kind: string, code?: string | null, amount_minor: number } | null, shipping_minor: number, total_display: string }} pricing
 * @param {string} total
 */
export const pricingSums = ({ subtotal_minor, courtesy, shipping_minor, total_display }, total) => [
  sum("Coffee", money(subtotal_minor)),
  courtesy && sum(discountName(courtesy), money(-courtesy.amount_minor)),
  sum("Shipping", shipping_minor === 0 ? "Free" : money(shipping_minor)),
  sum(total, total_display, "div.sum.total"),
];

/** @param {{ kind: string, code?: string | null }} courtesy */
function discountName({ kind, code }) {
  const name = kind === "FIRST_ORDER" ? "First-order discount" : "Large-order discount";
  return code ? `${name} (${code})` : name;
}

/** @param {string} id */
function pictureOf(id) {
  const drawn = document.querySelector(`template[data-bean="${CSS.escape(id)}"]`);
  return drawn instanceof HTMLTemplateElement ? drawn.content.cloneNode(true) : null;
}

/**
 * @param {{ product_id: string, name?: string, quantity: number, unit_price_minor?: number }} item
 */
export function itemRow({ product_id, name = product_id, quantity, unit_price_minor: price }) {
  const picture = el("span", pictureOf(product_id));
  picture.ariaHidden = "true";
  return el(
    "li.item",
    picture,
    el(
      "span.what",
      el("strong", name),
      el("span.soft", price === undefined ? bags(quantity) : `${bags(quantity)} × ${money(price)}`),
    ),
    price !== undefined && el("span.amount", money(quantity * price)),
  );
}

/** @param {Record<string, string | undefined>} address */
export const addressBlock = ({ name, line1, line2, city, region, postal_code }) =>
  el(
    "p.address",
    el("strong", name),
    ...[line1, line2, `${city}, ${region} ${postal_code}`]
      .filter(Boolean)
      .flatMap((line) => [el("br"), line]),
  );

/** @param {string[]} notes */
export const noteCards = (notes) =>
  notes.map((note) => el("p.note", el("span.soft", "Handwritten note: "), note));

/** @param {string} mode */
export const playMoney = (mode) =>
  mode === "live" ? null : el("p.play", "Demo shop: nothing is charged or shipped.");
