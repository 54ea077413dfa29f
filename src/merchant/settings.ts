import { audited, type MerchantAct } from "../core/audit.ts";
import { lock, type Rule, setSetting, writeRule } from "../core/command.ts";
import { prose } from "../core/fields.ts";
import { FIRST_ORDER_SETTING } from "../core/policy.ts";

/** The first-order offer may end without notice (contract §2), and may come back. */
export const switchFirstOrder: Rule<MerchantAct & { on: boolean }, { first_order: string }> = {
  reads: () => [lock("settings", { name: FIRST_ORDER_SETTING })],
  decide(c, s) {
    const value = c.on ? "on" : "off";
    return {
      reply: { first_order: value },
      writes: [
        setSetting(s, FIRST_ORDER_SETTING, value),
        audited(c, "courtesy.first-order", FIRST_ORDER_SETTING, { value }),
      ],
    };
  },
};

/** Where the shop's own address is kept, as it stands on packing slips: lines of text. */
export const SHOP_ADDRESS_SETTING = "shop.address";

export const ShopAddress = prose("The address", 300);

/** The return address of what is sent: where a shipment that cannot be delivered comes back to. */
export const setShopAddress = writeRule<MerchantAct & { address: string }>({
  reads: () => [lock("settings", { name: SHOP_ADDRESS_SETTING })],
  writes: (c, s) => [
    setSetting(s, SHOP_ADDRESS_SETTING, c.address),
    audited(c, "shop.address", SHOP_ADDRESS_SETTING),
  ],
});
