/**
 * The published policy in passages, for `ask`, `get_policy` and the policy resource (contract §17).
 * Every number comes from the rules. `words` are what people say when they mean the topic.
 */
import { Mode, type PaymentMode } from "../core/answer.ts";
import type { ToolName } from "../core/next-step.ts";
import { FIRST_ORDER, LIMITS, RETENTION_DAYS, span, TIMES } from "../core/policy.ts";
import { promises, type Shop } from "../core/shop.ts";

/** Current facts that some passages state. */
export interface Live {
  firstOrderRuns: boolean;
  /** Bags free to sell, by product_id. */
  free: ReadonlyMap<string, number>;
  mode: PaymentMode;
  shop: Shop;
  quoteTtlMs: number;
  /** "30 per minute per key", by the name of the limit. */
  rateLimits: Readonly<Record<string, string>>;
  supportEmail: string | undefined;
}

export type Step = readonly [tool: ToolName, why: string];

export interface Topic {
  topic: string;
  words: string;
  text?: string | ((live: Live) => string);
  /** Replaces `text` in a passage with numbers of the shop. */
  promise?: (live: Pick<Live, "shop">) => string;
  steps?: readonly Step[];
}

const findOrder = (why: string): Step => ["list_orders", `Find the order to ${why}.`];
const FEEDBACK: Step = ["send_feedback", "Write to the merchant, with the order_id."];

export const TOPICS: readonly Topic[] = [
  {
    topic: "shipping",
    words: `shipping cost fee postage delivered total sum freight delivery charge free threshold flat rate price pay send carriage minimum get discount code firstbag courtesy included reduce dollars waived bags percent count coupon apply two promo mail percentage ten full transport alaska rebate weight before lower taken applied covers large touch towards plus reduction cheaper alone calculated reach twice part still ohio amount knock shrink bucks excluded short computed three hoping montana addresses base voucher heavier below above big spend stay after line forty hundred house whole down single both extra maine money household first bring nothing post enough added address six same become buy drop good left everything four add`,
    promise: ({ shop }) =>
      `Shipping: ${promises(shop).shipping} Discounts apply to the coffee, never to shipping.`,
  },
  {
    topic: "ship_to",
    words: `destination ship country state abroad international overseas worldwide canada mexico europe uk germany england japan australia alaska hawaii puerto rico guam territory military apo fpo dpo base po box locker mailbox address office home hotel deliver city zip vancouver toronto london paris post street sent amazon lives send live station postal rented delivery ups possible mail dorm parcel fine building friend accept rural outside addresses house pickup fit islands son virgin france serve army general area instead town store soldier enter cousin work allowed number montana reach far miami stay daughter extra brother refused problem recipient ohio courier collect aunt form enough mine cost included code package good covers pick count policy down`,
    text: "Ships to US addresses only: the states, DC, the territories (such as Puerto Rico and Guam) and military addresses (APO, FPO, DPO). No other country. Nothing is stated about PO boxes and lockers.",
  },
  {
    topic: "delivery",
    words: `delivery time long arrive arrival get days week monday tuesday wednesday thursday friday saturday sunday tomorrow today eta fast express overnight next expedited rush date christmas holiday guarantee deadline slot hour weekend signature leave door driver neighbor carrier ups usps fedex courier insurance schedule late delay ship dispatched origin warehouse soon insured deliver th parcel choose roast window bring transit company dhl mail nobody home between before weekday pick service within faster coast gate package van birthday mailman evening possible hand shipment box priority city west garage sign pm drop anniversary amazon estimate extra post option after doorman december east instructions regular wait firm concierge sooner land brought later fastest ring away certain behind state packet longer expect value mother promise turn around required california ground truck work usually reach sleep carry mailbox covers month wedding sent hold texas office field handle building enough business sister left ohio available grandma morning instead set ten`,
    promise: ({ shop }) =>
      `${promises(shop).delivery} No date is promised and there is no faster service. Nothing is stated about carriers, insurance, delivery days or times, signatures or where parcels are left.`,
  },
  {
    topic: "tracking",
    words: `leaves leaving know delivered see check track order package parcel status number shipped link look follow en route left find page far progress show mean already wheres since watch check lost shipment paid thursday agent updates processing bought nothing still state day box customer purchase work`,
    text: "The agent whose quote became the order reads its status, events and the tracking of every shipment. The buyer's own order page shows the same, and so does the email sent when a shipment leaves.",
    steps: [findOrder("read its status and tracking")],
  },
  {
    topic: "address",
    words: `change address wrong typo moved move relocated forgot apartment number correct destination after paying misspelled street redirect reroute new zip mistake name recipient house fixed instead place paid still gave parcel label updates surname enter late phoenix spelled typed home package office digits since week amend order already alter put swap delivery add shipping send cost code next another possible user happens gift before cancel work`,
    text: "The merchant can change a shipment's address until it ships; the price stays. Send feedback with the order id and the right address. An unpaid quote can't be changed: request a new one.",
    steps: [FEEDBACK],
  },
  {
    topic: "problems",
    words: `problem never came anybody anyone reach lost stolen missing damaged broken torn wrong bag arrived came delivered theft porch complaint complain support contact email phone help customer service human feedback speak leaking wet crushed replacement replace reship opened package parcel box report loss loses risk receive vanished bears carrier disappears mail pirates stale police photo transit thieves hole carton swiped lobby reach resend responsible steal nothing person elses doorstep strangers talk gone taken astray camera hotline soaked covers ripped post thief admits marked went show leave door truck new smell delivery stone burst late file content sent chat answer between write policy walk get send three instead somewhere number another shipment handle carry count turn happens find pass real live street ohio user left since call step good again mine second week recipient read kindly day`,
    text: ({ supportEmail }) =>
      `For a lost, late, damaged or wrong parcel, or anything else about an order, send feedback with the order id${supportEmail ? ` or write to ${supportEmail}` : ""}; the merchant decides what to do. There is no phone number. ` +
      "Nothing is stated about replacements.",
    steps: [FEEDBACK, ["get_policy", "Read the contact address, if the shop names one."]],
  },
  {
    topic: "discounts",
    words: `discount code promo coupon courtesy first order firstbag new customer percent save savings deal offer sale large spend stack combine both together twice again second loyalty points student senior military teacher employee friend referral birthday free gift sample bonus freebie perk bag extra black friday invalid apply cart volume cheaper reduction rebate top codes get rewards two big welcome used newcomers refer program cumulative enter percentage qualify work stamp earn buy promotions veterans tenth time money taster conditions wins valid bring count collect thrown dollars kick complimentary regular punch bulk little add small gratis allowed total wife promotional already nurse sticker plus choose ten redeem applies knock automatic spring breaks voucher saved year quantity house trial same double special another nothing between hundred once husband taken run today good basket bought sum sales people often decides wedding included`,
    text: ({ firstOrderRuns, shop }) =>
      `${firstOrderRuns ? `Code ${FIRST_ORDER.code}: ${promises(shop).first_order}` : "The first-order discount is not running now."} ` +
      `Larger orders: ${promises(shop).spend} ${promises(shop).courtesies} Codes ignore upper and lower case. Nothing else is offered.`,
  },
  {
    topic: "prices",
    words: `price fixed negotiate bargain haggle bag unit quantity tier volume bulk cheaper raise rise increase change future currency usd dollars euro pesos cad convert same everyone agent surcharge expensive wholesale list match competitor beat ounce pound lower total less cost down amount canadian figure catalog piece rate dearer yen conversion ten next year swiss buy exchange single pay depend france sterling charge dozen today tariffs american month negotiable drop twelve meet fall market stay better six bucks always room london australian bank accept breaks settle decides fifteen plan countries matter foreign bit people become british rupees personalized counteroffer stable higher budget january bill money larger cents count warn rich valid stand customer bump double december offer times gonna soon deal neighbor notice mean scale instead first show shown five third little switch germany expect eight friend tomorrow wait often roaster christmas time others came hold sum later special between everything told different several asks person follow week talk whole rather`,
    text: "Prices are in US dollars, the same for everybody and not negotiable. A bag costs the same however many are ordered. Nothing is stated about future prices.",
  },
  {
    topic: "taxes",
    words: `tax sales vat duty customs fee hidden charge extra surcharge handling tip service additional cost line total card states added top pay price import included exempt end shown tariffs oregon add exemption york processing certificate levies platform bill surprise besides government tack commission border texas rate grocery budget cut small pack figure beyond final percent nonprofit ticket reckon appear gross book using carry catch sum chicago percentage printed items expect collect postage checkout credit inside last asks nothing new already dollars amount pass used share company live list`,
    promise: ({ shop }) =>
      `${promises(shop).tax} The only other charge is shipping; there are no fees, tips or surcharges.`,
  },
  {
    topic: "payment",
    words: `pay payment method card credit debit visa mastercard amex paypal apple google klarna venmo cash check bank transfer crypto bitcoin invoice net 30 bill terms purchase order installments instalments later parts split half deposit secure safe security encrypted number stored hosted page stripe fraud trust affirm company month accept settle rest account firm against protected possible wallet finance pci checkout phishing dollars po department spread plan week prepaid sum balance partial vendor bit procurement today due scam down option wire employer hackers enter everything payable type office discover form end afterwards corporate university trustworthy business divided processor businesses work plastic compliant wifi padlock protection issued https certified link proper name genuine ach stablecoin cvv llc first details remainder support interest steal thirty fake shop four worry upon arrival online law express time ways school internet doable full team american typed boss enough small boston during percent digits allowed once wedding money arrive put germany hand rather day amount total friday several offer hotel next gave instead chance away paper available kindly little mean taken ten run made three ohio good receipt confirm`,
    text: "The buyer pays the whole total at once, by card on the payment provider's hosted page; agents and this shop never see card numbers. The page shows every way to pay it takes; no list is published. Nothing is stated about invoices, purchase orders or paying in parts.",
  },
  {
    topic: "approval",
    words: `approve approval confirm authorize consent agent pay buy bot assistant ai chatgpt charge money taken accident review link human decides commit commitment obligation before ordered spend card autonomous automatically purchase user myself person permission itself prepared final click allowed moment payment asks required bought wife robot after happens needed alone complete visa button open sign step look once already bill sent nothing leave number place account hold limit paid delivery last`,
    promise: ({ shop }) => promises(shop).approval,
  },
  {
    topic: "declined",
    words: `card declined rejected failed payment failure denied again another error insufficient funds timed page closed retry charged anyway bank refused accept bounced pay unsuccessful transaction visa after blocked attempt turn hit mastercard dead lost work red second expired tried secure down start money help happens told checkout typed different link twice step three wrong same next still new first code once user`,
    text: "A declined payment orders and charges nothing. While the quote is good, its review link can be paid again, also with another card; after that, request a new quote.",
  },
  {
    topic: "ordering",
    words: `order buy place purchase checkout process steps cart website store online begin start add phone person procedure get become button walk customer chat site information paid first bought fill ready basket next check work bags told put catalog ai happens after shop time page user agent payment two`,
    text: "An agent registers for a key, requests a quote and gives its buyer the review link; a buyer without an agent fills a cart on the shop's page. The buyer sees the exact total and pays on a hosted page.",
    steps: [["request_quote", "Get an exact price for a buyer."]],
  },
  {
    topic: "limits",
    words: `limit maximum minimum bags largest smallest order line lines quantity several different mix box parcel shipment same together two three another least buy max single small kindly package items sort allowed enough amount distinct packet fit spend little hold lone accept carton travel bother tiny combine alone value variety cap youll purchase six address position below within away fine put five pack separate reach theres dollars sum ones refused cart start before everything four live total drink turn possible number list first`,
    text: `From one bag up; at most ${LIMITS.quantity_per_line} bags in a line, ${LIMITS.lines_per_shipment} lines in a shipment, ${LIMITS.shipments_per_order} shipments and ${LIMITS.bags_per_order} bags in an order. A shipment can mix coffees. For more, leave a bulk request.`,
  },
  {
    topic: "recipients",
    words: `several addresses multiple recipients two different people person send separate destinations split families friends gifts clients same order ship gets homes household bags three address once single cousin sister place four colleague purchase home among mom between five half together divided checkout parents cart allowed brother maximum list dad six eight covers possible live door whole limit shipment state second house number times check work payment new price`,
    promise: ({ shop }) =>
      `An order can go to up to ${LIMITS.shipments_per_order} addresses, one shipment each with its own bags and notes. Shipping is counted for each address by itself: ${promises(shop).shipping}`,
  },
  {
    topic: "bulk",
    words: `wholesale bulk large order cafe restaurant hotel office corporate company conference event hundreds 300 400 500 1000 bags supply reseller resell trade case pallet business huge wedding allowed hundred buy quantity maximum sell big grocery cafes thousand limit volume talk month handle cap bakery possible upper supplier guests run portland size amount terms store pound firm stop people once small program stock shop whole five week customer purchase work`,
    text: `An order takes up to ${LIMITS.bags_per_order} bags. For more, leave a bulk request with an email and the purpose: the merchant follows up by email. No price, availability or timing is promised.`,
    steps: [["send_bulk_lead", "Leave the bulk request: an email and its purpose."]],
  },
  {
    topic: "product",
    words: `sell bag size weight ounces oz grams 12 pound lb kilo kg big heavy large whole ground grind pre pods capsules instant cup nespresso drip machine sampler tasting set variety pack sample mix blend house single origin substitution substitute swap replaced similar goods merchandise equipment grinder mug kettle filter tea chocolate green raw unroasted home roasting roaster replacement mill sale another sold available espresso sack unavailable lots bigger syrup buy discovery shirts small run logo scale carry powder popcorn shop seeds get gone half stock mine myself together breakfast popper gear alternative products paper little smaller sizes larger stand hot vanilla contain hobby uncooked pick different part version several short travel drum ran assortment broke decides maker smallest supply net crushed gaps mixture behmor pan tote device burr case sku dripper weigh cafe sachets tiny send equivalent flight farm whatever ones idaho bit nothing sent along items instead find choose countries robusta throw exist chance customs exchange stuff press fill catalog sort packet dad choice v60 left regular others longer advise besides put combine french eight grandma husband wedding unit fit before missing switch ready kindly full finish cheaper five mother difference`,
    promise: ({ shop }) =>
      `${promises(shop).sells} One size, never ground. Each from one country and region; no blends, samplers, pods, green coffee, equipment or other goods. No substitutions: the coffee ordered is the coffee sent.`,
  },
  {
    topic: "gifts",
    words: `gift note card message handwritten handwriting write present birthday wrap ribbon box basket bow price hidden receipt invoice enclosed surprise anonymous language characters long recipient voucher certificate store credit greeting words paper slip cost printed amount inside balance festive friend choose mother dollars parcel christmas redeem emoji pack put extra send spend hamper prepaid aunt happy spent sees value hand presentation hide dedication around sum carton add set included anywhere tissue plain digital teacher notes offer boss look little possible later colleague heart find spanish package bill figure person decorative length paperwork leave ready tag pretty load read tie sell dad show giving himself worth additional rather written shop brown brother wedding dress blanked pen letter sister stay personal tick embarrassed unpack valentines fancy wishes guests secret buy visible together cardboard grandpa lines separate girlfriend given staff nephew option sign nice law red issued arrive bucks away money myself party th father fit stick shown twenty twelve denver pick maine always field straight bags year receive available type mom coupon sent valid texas total chance open wife enter name text top instead grandma made three left`,
    promise: ({ shop }) =>
      `Gift notes: ${promises(shop).gift_notes} They cost nothing. Nothing is stated about gift wrapping, or about prices or receipts in the parcel, or about gift cards.`,
  },
  {
    topic: "quotes",
    words: `quote valid expire long good price guaranteed immutable change hash revive new request again terms lock offer still binding made lapse stand total renew amend catalog edit review fixed drew invalidated pay last stay contain tomorrow mine once same monday another run sum alter hold mean soon count accept open happens hour agent create time link exist day friday twice stock keep after week look add three before`,
    text: ({ quoteTtlMs }) =>
      `A quote never changes and says until when it is good: a new one for ${span(quoteTtlMs)}. It holds no bags and no discount. When it has expired or its bags were sold, request a new one.`,
    steps: [["request_quote", "Get an exact price for a buyer."]],
  },
  {
    topic: "holds",
    words: `reserve reservation hold held keep set aside put save bag last pay payment step two people minutes unpaid abandoned cart released locked inventory payday page open kept checkout stock long finish during back close left start away tab blocked still once screen others session mine card book earmark week hour begun middle happens later countdown meanwhile snatched decides before friday monday form overnight leave tomorrow end buyers unfinished distracted dibs shopper layaway salary paycheck lay sell pre gone next lose both st meet side wallet claims four shelf nobody th name wife begin pressed wait stay thursday money free type settle tuesday possible went safe month husband press today first enter sold expired customer typed wedding three good times buy run check day phone`,
    promise: ({ shop }) =>
      `Bags can't be reserved by asking, and a quote holds none. ${promises(shop).unpaid_hold}`,
  },
  {
    topic: "waitlist",
    words: `waitlist waiting list queue position line sold stock back restock available again notify ready first served join leave offer gone finished unavailable new batch supply return availability none left long turn date spot place alerts missing next refill once replenished soon put ahead promise week people lose forever reappears eta whens often shelves arrive held empty check cost person shelf ping email stand happens day expect down sign chance time notifications kept sell another keep hour monday told name pass friday last fill friend expired ones end policy run month get nothing good`,
    promise: ({ shop }) =>
      `A buyer joins the waitlist for a WAITLIST coffee when its bags are short, through an agent or on its page, and leaves or reads its position the same way. ${promises(shop).waiting} No restock date is promised. The exclusive coffee has no waitlist.`,
    steps: [["join_waitlist", "Join the waitlist for the buyer when bags are short."]],
  },
  {
    topic: "finder_key",
    words: `finder key exclusive locked unlock rare secret hidden special earn access get buy geisha allowed good questions header argument send opens reserved parameter field quick pass agent mcp tool request query put url share enough call bearer body past belong sent asks checkout name attach appended enter json string syntax param padlock sensitive token type valid hand case decides link simply long hold another along friend expired missing sunday carry present cart write api used bot count chat add still human server quote`,
    text: `The exclusive coffee needs a finder key with its quote and checkout: header over HTTP, argument over MCP; quick checkout takes none. An agent earns it by three good questions here with its own key: about at least two coffees and three kinds of facts, one about the exclusive coffee. It is bound to that agent and good for ${span(TIMES.finder_key_ms)}; asking again shows it again.`,
    steps: [
      [
        "ask",
        "Ask good questions about the coffees with your key to earn a {finder_key}, or to see yours again.",
      ],
      ["request_quote", "Send the finder key as {finder_key}."],
    ],
  },
  {
    topic: "cancellation",
    words: `cancel cancelling cancellation stop order call changed mind anymore undo part shipment partial withdraw request back keep after already shipped regret scrap reinstate void revoke drop asks still others annul rest mistake retract parcel reverse longer decides whole possible rescind pull half late ignore forget sent reason everything ago wishes withdrawn disregard deadline pressed accident night recipient single hour bought kill reconsidered button strike happens wanted un remain undone second multi entirely hasnt stay period rid reorder thought anyway uncle sunday remove ahead nothing leave final monday lose cost purchase items five mine tomorrow told aunt fee before yesterday four brother wife accept kept morning user agent paid turn allowed away made ten endpoint policy grandma minutes again`,
    promise: ({ shop }) =>
      `${promises(shop).cancellation} The agent, or the buyer on the order's page, asks for the whole order or for shipments that have not left, and can take the request back while it is undecided.`,
    steps: [findOrder("request its cancellation, or to take the request back")],
  },
  {
    topic: "changes",
    words: `change order add bag after paying remove item swap edit modify update quantity different existing paid forgot increase amend alter gift note already place another bought yesterday exchange thought wrong tack three switch still meant bump extra second instead content ago two put four five rather possible late ones payment morning confirm pack pick once hour same checkout before purchase new decaf`,
    text: "A paid order's bags can't be changed. Request cancellation before it ships, place another order, or send feedback.",
    steps: [findOrder("request its cancellation"), FEEDBACK],
  },
  {
    topic: "refunds",
    words: `refund return money back send guarantee satisfaction taste unhappy disappointed exchange charged twice double duplicate payment mistake opened bag restocking dispute chargeback unopened hand reimbursed day statement policy get times reimbursement hates cash seal show two window accident simply same full postage long card credit bank again amount bought dollars bill accept account week paid happens fee recipient purchase still user`,
    promise: ({ shop }) => `Refunds and returns: ${promises(shop).refunds}`,
    steps: [FEEDBACK],
  },
  {
    topic: "emails",
    words: `know leaves email mail letter receipt confirmation notification notify informed sms text message whatsapp phone call push newsletter shipped written recipient resend unsubscribe alert get inbox updates mobile send telegram sent cell ring arrive spam order hear parcel after number imessage notice receive dispatch mailbox signal write ping telephone driver proof delivery folder leave opt courier prefers deliver came instead land read new went rather drop nothing tracking day hour confirm stop customer hand gift person once look show turn user`,
    text: "If the shop has a mail server, the buyer gets a receipt and an email when a shipment leaves or arrives, its tracking or address changes, an order is canceled or refunded, a cancel request is declined, or waitlist bags are offered. Nothing is stated about texts, calls or newsletters.",
  },
  {
    topic: "events",
    words: `delivered see events log webhook poll follow updates notified agent learns knows order changes subscribe stream push api types list after cursor wait status shipped callback server feed endpoint url sign interval often notifications since bot payload program retry call sleep register check human post find missing run last look mine minutes between asks paid long state payment again happens new send get`,
    text: "An agent reads an order's events, oldest first, can wait for the next one, and goes on from the last one it saw. Each event names its type.",
    steps: [findOrder("follow its events")],
  },
  {
    topic: "accounts",
    words: `account register registration sign login log password api key credentials token developer integrate integration mcp server openapi rest endpoint lost new agent join connect interface free sdk create profile guests python shop required spec enroll needed forgot before bot buy assistant rather program catalog cost look write user get first work customer checkout`,
    text: "A buyer needs no account. Catalog, policy, questions and quick-checkout links need no key; for the rest an agent registers once, free, with a name and an email, over HTTP or MCP. Its key is shown once; a lost one is replaced by registering again, which doesn't show the old key's orders.",
    steps: [["register_agent", "Register to get a key; it is free.{send_key}"]],
  },
  {
    topic: "cart_links",
    words: `quick checkout link cart url key browser get prefilled ready basket share bag parameter build open fill web address already direct click straight pages leads assistant load clickable buy put post format registration api blog quantity browse pay chatbot send hand request work payment drop register made two find look page three still bot purchase user agent`,
    text: "A quick-checkout link carries bags for clients that can only open addresses: it needs no key and holds nothing. The person who opens it enters an email and a US address, sees the exact total and pays. It takes no exclusive coffee.",
    steps: [["build_quick_checkout_link", "Make the link that the buyer opens."]],
  },
  {
    topic: "rates",
    words: `rate limit throttle requests minute hour day calls 429 quota often ceiling hammer cap api questions blocked agent allowance slow query ip bot second catalog send higher long raise script daily burst after down search fast header server cut allowed asks share program between retry count times wait assistant key happens before`,
    text: ({ rateLimits }) => {
      const some = Object.entries(rateLimits).map(([name, limit]) => `${name} ${limit}`);
      return some.length === 0 ? "No rate limits apply." : `Rate limits: ${some.join("; ")}.`;
    },
    steps: [["get_policy", "Read the rate limits."]],
  },
  {
    topic: "mode",
    words: `test mode sandbox real live demo fake staging production legit store money simulation card dummy pretend actual parcel genuine scam shop environment trial play truly experiment run business charge site mock simulated wonder exist true developer whole behind work made place show turn bot sell dollars purchase checkout before payment agent user page`,
    text: ({ mode }) => `The mode here is "${mode}". ${Mode.description}`,
  },
  {
    topic: "privacy",
    words: `privacy data personal information stored share sell third party gdpr ccpa cookies track delete erase erasure forget remove retention keep long records details email sold marketing deletion wipe advertisers name number phone address forgotten account database profile newsletter customer destroyed close purge after kept anonymous system anyone pass info scrubbed demand everything history advertising files conversation list california trace read ex mail spam bought policy stay request clear gone user file write reason ads wiped expunge shop confidential nobody taken longer live rid get sees gonna google knows afterwards away asks used procedure mother wishes collect chat learn follow around ohio home left company good end year receive recipient street person once purchase possible start hand card decides server arrive happens hold leave sign addresses confirm kindly last`,
    text: `Orders are kept for the books; an unpaid quote is deleted ${RETENTION_DAYS.unpaid_quotes} days after its end, sent emails after ${RETENTION_DAYS.sent_letters}. The merchant can erase a person's data, except what the books need: send feedback to ask. Nothing else is stated about the use of data.`,
    steps: [["send_feedback", "Ask the merchant to erase data."]],
  },
  {
    topic: "assistant",
    words: `bot robot human real person ai language spanish french german chinese answer translate speak name help portuguese italian arabic made english talk chat write model understand replies version machine polish korean espanol japanese questions claude chatgpt hindi youre typed program automated tongue deutsch russian capabilities support vietnamese yourself able behind built train site read thinks website switch available shop assistant mistake mother mix half grandma page run good accept asks`,
    text: "These replies come from a program without a language model: it hands over the catalog's facts and the published policy, in English, for any question.",
  },
  {
    topic: "health",
    words: `health healthy allergy allergic allergen nuts contain gluten dairy lactose vegan pregnant pregnancy breastfeeding doctor medication heart blood pressure diabetes diet keto calories sugar sleep anxiety stomach reflux acid child kids children dog cat safe alcohol halal kosher peanut baby`,
    text: "Nothing is stated about health, diets, allergies or ingredients; tasting notes are flavors, not ingredients. Ask a doctor or another professional.",
  },
  {
    topic: "coffee_gaps",
    words: `caffeine amount mg milligrams caffeinated strongest kick percent removed totally completely free roast date freshness fresh best before expiration expire shelf life stay good storage store keep freezer fridge airtight jar open harvest crop season picking year pairing food dessert cake cheese eat bagel cups bag servings last pots week household words mean definition define explain grinder setting click sour bitter water hardness tap descale limescale clean machine crema troubleshoot milk foam brewing help month day mugs cherries long match filter oz espresso serve shots drink heirloom general breakfast terms process stimulant encore freeze anaerobic honey dark between peaberry past washed decaf bad difference baratza recent light besides current dinner double paper croissants ago age chocolate always stand rinse cheesecake froth people heart brunch pour awake pregnant robusta cupboard cold suits sugar pie snacks bacon tiramisu bloom enough pull alongside fly yield batch home stuff stale better often printed time masl decaffeination pastry steam bottled roaster meant content dish gathered tips sit body latte trick fit guests finish hard wet toast biggest tree maker less ten press half sleep natural lie seal hot oat white longest eggs burned thaw humid pancakes steak trees watery sludge comandante whatever maine four doctor container around glass drip period kitchen eight leave rid fast supermarket table lemon avoid expiry daily buzz party drum winter crack hulled art cookies grams label next summer morning tin reckon entirely barista arabica drinkers unopened acidity making start advise weak rest zero night twenty empty spring apple husband sunday supposed idea specialty high french pound fruit thought bring came contain dry within grandma ounces weekend plain farm thirty left understand low percentage packet begin nice read true moka iced plan wedding processing safe figure heavy decaffeinated new medium along five little fine`,
    text: "Nothing is stated about caffeine amounts, roast dates, freshness, shelf life, storage, harvests, food pairings, cups per bag, the meaning of coffee terms, or brewing beyond the recipes given.",
  },
  {
    topic: "shop_gaps",
    words: `subscription subscribe monthly club membership member recurring standing order pause skip auto ship popular popularity best seller bestseller favorite top selling reviews ratings rating others buy people roaster roastery roasts small batch head city visit shop store hours location opening pick pickup street walk cafe company history team owner founded employees family business big size since brand organic fair trade certified certification certificate sustainable sustainability ethical ethics environment carbon climate rainforest packaging resealable recyclable recycle compostable bag made valve tin material plastic upcoming new soon planned holiday seasonal release next catalog pouch drum year kosher repeat reorder empty farmers regular machine growers week paper summer stars owns firm halal pesticides foil tours customer job behind child founders alliance air itself bin town counter buyers crowd spring investors zipper compost edition launch season yourselves bring special run automatically ur gas around future collect probat premises hiring reseal schedule local love whos read time forget range decides story christmas farm selection renew legal set often seal bar bird reuse additions myself independent enterprise clip pickers pumpkin refill corporation quarter join footprint automatic waste tried drive december autumn decent again place fall prefers market everybody person save opinions sunday loring facility factory cuppings workers offset shade bio plantations eco labor wrapper heap degassing biodegradable used name belong contract aluminium pipeline layers located exist hole heard based chain room anyone direct true corner round lines sourcing kilo somewhere businesses friend cardboard inside cup brown close trust wishes interval start newcomers pop arrival always zero shut hand treat sit group youre drop little portland carry thinks man front folks grown first fetch carton daughter theres label husband green twelve hot gesha sample sort online find oz cut grandma sales look fresh dad zip stop bought apply down chance work rather pack profile`,
    text: "Nothing is stated about subscriptions, reviews or bestsellers, who roasts or where, a shop to visit, the company, certificates (organic, fair trade), the environment, packaging or coming coffees.",
  },
];

export interface Passage {
  topic: string;
  text: string;
}

/** Current text of all passages. */
export const passages = (live: Live): Passage[] =>
  TOPICS.map(({ topic, text = "", promise }) => ({
    topic,
    text: promise?.(live) ?? (typeof text === "string" ? text : text(live)),
  }));
