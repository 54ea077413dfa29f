import { CURRENCY, typedDollars } from "../../core/money.ts";
import type { Shop } from "../../core/shop.ts";
import { type Bean, beanPicture, inQuickCheckout } from "../../web/bean-view.ts";

export interface Seller {
  baseUrl: string;
  shop: Shop;
}

/** A bean as schema.org's Product, for crawlers. The exclusive bean has no offer: pages don't sell it. */
export function productData(bean: Bean, { baseUrl, shop }: Seller): object {
  const { product_id: id, name_to_use_with_humans: name, summary } = bean.product;
  const picture = `${baseUrl}${beanPicture(id)}`;
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name,
    sku: id,
    url: `${baseUrl}/beans/${id}`,
    description: summary,
    image: [`${baseUrl}/assets/coffee.jpg`, picture],
    brand: { "@type": "Brand", name: shop.name },
    weight: { "@type": "QuantitativeValue", value: 8, unitCode: "ONZ" },
    ...(inQuickCheckout(bean) && { offers: offer(bean, { baseUrl, shop }) }),
  };
}

const priceCurrency = CURRENCY.toUpperCase();

/** For one bag to one address in the US. */
function offer({ product, free }: Bean, { baseUrl, shop }: Seller) {
  const { price_minor: price } = product;
  const { shipping_per_address_minor: flat, free_shipping_from_minor: freeFrom } = shop;
  const [minValue, maxValue] = shop.delivery_days;
  return {
    "@type": "Offer",
    url: `${baseUrl}/beans/${product.product_id}`,
    price: typedDollars(price),
    priceCurrency,
    availability: `https://schema.org/${free > 0 ? "InStock" : "OutOfStock"}`,
    itemCondition: "https://schema.org/NewCondition",
    seller: { "@type": "Organization", name: shop.name, url: `${baseUrl}/` },
    shippingDetails: {
      "@type": "OfferShippingDetails",
      shippingDestination: { "@type": "DefinedRegion", addressCountry: "US" },
      shippingRate: {
        "@type": "MonetaryAmount",
        value: typedDollars(price >= freeFrom ? 0 : flat),
        currency: priceCurrency,
      },
      deliveryTime: {
        "@type": "ShippingDeliveryTime",
        transitTime: { "@type": "QuantitativeValue", minValue, maxValue, unitCode: "DAY" },
      },
    },
    hasMerchantReturnPolicy: {
      "@type": "MerchantReturnPolicy",
      applicableCountry: "US",
      returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted",
      merchantReturnLink: `${baseUrl}/shipping`,
    },
  };
}
