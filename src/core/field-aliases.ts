/**
 * What fields are called elsewhere, so that a guess is answered with our name. In lower case, without
 * anything between the words; the first field that has the alias is the one meant.
 */
export const FIELD_ALIASES: Readonly<Record<string, string>> = {
  buyer: "customer payer purchaser client user buyerinfo",
  email: "mail emailaddress buyeremail customeremail contactemail",
  buyer_email: "email mail customeremail customer buyer",
  contact_email: "email mail contact owneremail",
  shipments: "shipment recipients destinations deliveries packages parcels orders shipping",
  recipient_ref: "ref reference recipientid recipient label shipmentref shipmentid",
  address: "shippingaddress shipto destination deliveryaddress addr",
  name: "fullname recipientname recipient to agentname firstname contactname",
  line1: "street street1 address1 addressline1 streetaddress line streetline1 address",
  line2: "street2 address2 addressline2 apartment apt unit suite streetline2",
  city: "town locality",
  region: "state province stateorprovince statecode regioncode provincecode",
  postal_code: "zip zipcode zip5 postcode postal",
  country: "countrycode nation",
  items: "lineitems lines products cart bags beans order",
  product_id: "product sku bean beanid itemid id variant item productname",
  quantity: "qty amount count bags number units numberofbags",
  gift_notes: "giftnote giftmessage giftmessages note notes message card cards",
  gift_note: "giftnotes giftmessage note notes message card",
  discount_code: "coupon couponcode promo promocode promotioncode discount code voucher",
  preferences: "options settings prefs",
  quote_id: "id quote",
  quote_hash: "hash checksum quotedigest",
  order_id: "id order orderref ordernumber number",
  waitlist_id: "id entry entryid waitlistentryid waitlist",
  reason_code: "reason code cause",
  shipment_ids:
    "shipments shipmentid shipment items item lineitems lines products productid bags quantity qty",
  message: "text comment comments feedback body content note details reason",
  purpose: "message reason description usecase text details",
  organization: "company organisation org business",
  q: "question query text prompt search message",
  after: "since cursor aftersequence sequence offset",
  before: "until cursor olderthan",
  limit: "pagesize count max perpage size top maxresults",
  wait: "timeout waitseconds longpoll",
};

/** What values are called elsewhere, in the same way. */
export const VALUE_ALIASES: Readonly<Record<string, string>> = {
  US: "unitedstates unitedstatesofamerica america",
  CHANGED_MIND: "buyerrequest customerrequest nolongerneeded notneeded regret",
  DUPLICATE: "duplicateorder orderedtwice",
  DELIVERY_TIME: "toolate late slow shippingtime",
};

/** What tools are called elsewhere, in the same way. */
export const TOOL_ALIASES: Readonly<Record<string, string>> = {
  register_agent: "register signup createagent createkey getapikey registerkey",
  get_catalog:
    "catalog products listproducts getproducts listcatalog menu browse listbeans getbeans searchproducts search",
  get_policy: "policies shipping getshipping returns returnpolicy terms faq",
  ask: "askquestion question query askaboutbeans",
  request_quote: "quote quotes addtocart createquote newquote getprice price pricequote makequote",
  get_quote: "readquote showquote quotestatus",
  create_checkout:
    "checkout pay startcheckout getcheckout paymentlink createorder placeorder buy purchase order",
  get_quote_order: "orderofquote quoteorder",
  list_orders: "orders getorders orderhistory",
  get_order: "readorder orderstatus trackorder track showorder",
  list_order_events: "events orderevents getorderevents getevents tracking gettracking",
  request_cancellation: "cancel cancelorder refund requestrefund returnorder",
  withdraw_cancellation: "uncancel undocancel withdrawcancelrequest revokecancellation keeporder",
  join_waitlist: "waitlist addtowaitlist createwaitlistentry",
  get_waitlist_entry: "waitliststatus getwaitlist readwaitlist",
  leave_waitlist: "cancelwaitlist removefromwaitlist deletewaitlistentry",
  send_feedback:
    "feedback submitfeedback review contactsupport support help complaint changeaddress updateaddress",
  send_bulk_lead: "bulk bulkorder wholesale createlead lead contact contactsales",
  build_quick_checkout_link: "quickcheckout link checkoutlink buildlink createlink quicklink",
};
