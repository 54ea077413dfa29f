/**
 * What answers a topic (sentences of the policy, or "?" for what our facts lack), and the words it is
 * told by. Of several that leave equally little unsaid the first answers. Names in capitals: KINDS.
 */
export const TOPICS = String.raw`
  ? = (need|want|require|sees?|use|keep|store|share|sell|know|do)…(my|our|customer) _ (phone|email|
  e mail|address|data|details)|(store|keep|save|sees?|share)…my card|(stored|saved) + card|
  how old _ your company|privacy|personal (data|info|information)|gdpr|spam|newsletter|ads|
  track (me|us)|(with|without|add|take) (some |any )?sugar(?! notes)|anonymous*|subscri*|(SEND|
  order|get|buy|need|bag) + (monthly|weekly|recurring|(every|each|per|a) (week|month|\d+ weeks));
  erase = (delete|erase|remove|forget|forgotten) + (data|info|information|account|details|email|
  gdpr|personal); ?, gift_notes = gift ?wrap*|wrap(ped|ping)?|gift (card|certificate|voucher|set|
  box(es)?|basket)|(without|with|no|include) (a |the )?(receipt|price tag)|(leave out|hide|
  omit) + price|(recipient|friend|they|she|he) + (price|paid|receipt); gift = (character|letter|
  word|line|language|emoji|long|size|recipient|personal|parcel|package|extra|additional) + NOTE|
  PLACES…own NOTE|(send|birthday|sister|brother|friend|comes?)…with a NOTE(?! of)|(gift|no) (NOTE|
  tag|option)|NOTE…bag|(each|every) (bag|one)…NOTE|hand ?written|(include|add|write|put|slip|attach|
  enclose) + NOTE|(SEND|order)…as an? (gift|present); tax = (sales )?tax(es)?|vat|customs;
  currency = (PAY|price|total) + (euro|eur|pound|gbp|peso|yen|franc|cad); each, spend = unit price|
  (cheaper|less) (per bag|each|a bag|apiece)…(if|when|for|with)|(\d+|SEVERAL|more|
  dozen) bags…cheaper|(price|cost) per bag + (drop|fall|go down|ten|dozen|same); mode = (real|play|
  actual|moves?) + (money|charged)|(test|demo|sandbox|fake|dummy|pretend|live) + (mode|money|
  payment|shop|store|charge|real|site|environment|order)|(real|actual) (payment|shop|store|order|
  purchase)|sandbox|(really|actually) + (charged|billed|card); approval, ? = (credit|debit)( card)?|
  cash|paypal|bitcoin|crypto*|(apple|google) pay|amex|american express|visa|invoice*|
  invoice + (company|companies)|(wire|bank) transfer|instal*ments?|half (now|upfront)|deposit|
  (payment|card|PAY) + (declined|refused|rejected|fails|failed)|(safe|secure) + (PAY|payment);
  approval = (my|our|buyers?|human|owner)…(ok|okay|yes)…(buy|order|pay|spend)|behalf + (PAY|buy|
  order)|(approval|approve|permission|consent|confirm|signature|agree|said yes|say yes|final say|
  last word|asking me) + (spend*|buy|pay|order|ordered|money|moves?|purchase|needed)|
  charged (before|after|at|until|right)|when + (charged|do i pay|must i pay|have to pay)|payment|
  (agent|bot|assistant) + (PAY|spend|trust|purchase|money|order|buy)|money…taken|(check|see|
  review) + charged|pay(s|ing)? (with|by|in|on|after|before|using|via|cash)|(accept|take) + card|
  (which|what|kind of) _ card; shipping = (free|no) (shipping|delivery|postage)|(shipping|delivery|
  postage) _ free|SEND + (twice|package|weight|heavy|waived?)|threshold|(cart|basket) + PAY;
  carriage = (taken )?off (before|after)…shipping|OFF + (off shipping|shipping|delivery|postage);
  No, courtesies, spend = both…\d+|commission|(combine|combined|stack|stacked|add up|together|both|
  plus) + OFF|OFF…with the (\$\d+( off)?|other|spend)|perk|loyalty( program| scheme)?|reward|
  refer + friend|free bag|buy \d+…free|free + (sample|bonus|gift)|freebie|(gift|bonus|
  something extra) + ((big|bigger|large|larger) orders?)|(get|something) + my birthday;
  discounts = OFF|((second|third|other|later|next) (order|purchase|time)) + (\d+%?|percent)|
  (student|teacher|senior|veteran|nurse|military|staff|family|pensioner) + (OFF|\d+%?|percent)|
  (bulk|volume|limited|valid|expired|newcomer|email|e mail|twice|again|returning|second|welcome|
  apply|forgot|later|end) + OFF|(?<!better |best )deal(?! with)|sales|new customer|% off|(first|
  1st) (order|purchase|bag|time)|(special|current|the|any) _ offer|specials|get…off|(off|save|
  reduction|get|gain) + (spend|spending|adding|buying \d+|if i order)|save \$\d+|
  cheaper + (purchase|above|over)|special (term|price|condition)|spend(ing)? (more|over|\$)|
  what (do|would|will) (i|we) save; several = (max*|limit|most|how many) + PLACES|
  how many _ PEOPLE…SEND|(split|divided?) + order; bulk = supply|bulk|wholesale|corporate|for (my |
  an? )?(cafe|office|restaurant|company|business)|maximum + (order|bag|buy|amount|quantity)|limit|
  ceiling|(how many|most) bags(?!.*\b(left|stock|available|exist|made|in all))|\d{3,} bags|(large|
  biggest|largest|huge) (order|quantit)*; lines = (line|item) + (shipment|order|parcel|package|most|
  max*|limit|how many|address|possible|allowed|pass)|(one|a single|per|each) line|(coffee|product|
  different bean) + (one (shipment|parcel|package|box)|per shipment); minimum = (smallest|
  minimum) (amount|order|quantity)|minimum|(just|only) (one|a single) bag; date, waiting = (when|
  tell me|let me know|notify me|told|notified) + (back|available|in stock)|restock*;
  waiting, queue, date = is there (a |any )?(queue|wait(ing)? ?list)|offered + bags|(lose|keep|miss|
  hold)…(my|the|our) (spot|place|turn)|(ahead of|before) me|put me (down|on)( .* back)?|(in|
  on) (the queue|line|the list)|(how|how long|when|where|can|join*|leave|off|cost|pay|hold|promise|
  deal|rules|offer|my|sign up|what is (a|the)) + (wait(ing)? ?list(ed)?|the wait|queue)|(runs?|
  sells?) out(?!.*instead)|(place|spot|position) + (queue|waitlist); account = (api|agent|access|
  merchant) key; keyed = (header|belong|argument|parameter|field|where…(put|send|go|goes|enter|use)|
  how…(use|send|enter|pass)) + (finder key)|(header|argument|parameter|mcp|hand in|
  quick checkout) + key(?! note); finder = good question|question + (count|counts|good one)|
  (questions?|shareable|share|how long|lasts?|valid|expire|get|earn|ask) + key(?! note)|finder key|
  unlock*|access to the|why…(locked|exclusive|cant)|get hold of…(locked|exclusive);
  refunds = (charged|billed|paid) + (twice|double)|refund*|money back|return(s|ing)?|(refund|
  return) + (stale|lost|opened|unopened|guarantee|within|days|damaged|changed)|(send|give)…back|
  i (do not|dont) like (it|the taste); problem, refunds = (get|send|have) (me )?a new one|(lose|
  lost|vanish*|disappear*|stolen|gone missing) + (mail|porch|coffee|pay|post|package|parcel|transit|
  way|who pays|box|bag|shipment|money back); moved, problem = (change|changed|modify|edit|amend|
  correct|update|new|moved|wrong|typo|mistake|corrected|fix|fixed) + (address|zip( code)?|street|
  house|apartment)|SEND…(elsewhere|instead of (my|the|our|to)); ?, cancellation = add…to (an|my|
  the) order|(change|changed|modify|edit|amend|swap|update) + (order*|number of|quantity)|
  swap + (after|paid|paying); withdrawal = (undo|withdraw|withdrawn|accident|accidental|take back|
  take (it|that|this) back|mistake|revoke) + (cancel*)|tak(e|ing) (a|the|my|that|
  this) cancel* _ back; cancellation, part = cancel* + (part|keep|rest|only|just|some of|one of|
  shipment|recipient|buyer|customer|page|without)|(take|drop|remove)…(recipient|shipment|
  one address); cancellation, refunds = cancel*|cancel* + (till|decides?|late|refund)|chang(e|
  ed) (my|our) mind|SEND + no longer; substitutions = (send|get|give|ship|swap|switch|put|
  replaced?) + (something else|another bean|other bean|different bean)|substitut*|(stock|
  missing) + substitute|(swap|replace)(d|ment)?s?…(out|sold|gone|another); problem = (says|
  marked) delivered|(came|arrive[sd]?) (open|wet|empty|crushed|torn|broken|late)|(wrong|damaged?|
  broken|missing|stale|torn(?! between)|ripped|leak*|lost)\b|contact|support|phone|email (you|
  address)|complain*|(package|parcel) + (arrived?|damaged|late)|(delivery|shipment) is _ _ late|
  nothing _ (come|came|arrived)|hole|(somebody|someone) elses|(you|they) (sent|delivered|shipped|
  gave)…(ordered|instead)|(got|received|sent)…but…ordered|(different|other|another) (coffee|
  bean)…than…ordered|(half|part) + missing|replace + lost|(never|didnt|hasnt|not) (receive|received|
  arrive|arrived|come|came|got|(show|showed|shown|turn|turned) up)|feedback|(talk|speak|
  write) to (a |an |some)?(real )?(human|person|someone|body|you)|reach (a|you|someone|the)|
  in touch|chat|(less|fewer|short) + paid|underweight|whom? do i (tell|talk|write|speak|turn) to|
  problem with; sizes = ^sizes|(same|different|several|one|other|what|which) sizes?|(whole|beans|
  already|comes?|coffee|is it|sell|sold|buy|have|get) (it |or |(the )?\w+ )?(pre ?)?ground(?!s)|
  (half a|smaller|smallest|biggest|largest|small|larger|large|bigger|heavier) (bag|pound|kilo|size|
  pack)|bags?…(bigger|larger|heavier|smaller|lighter|more|less)…(grams?|g)\b|how many (g|gram|oz|
  pound)s?…bag|capsule|pods?|compatible|(can|could|do|will|would) (you|u) (guys )?grind|whole ?bean|
  bag size|how (big|heavy|large)|weigh*|how (many|much)…(in|per) (a|one|each|the)? ?bag|kilo|powder|
  ounce(?!s? of)|(\d+|one|two|a|half) (kg|kilo|oz|ounce|pound|lb|g bag); several = SEVERAL _ PLACES|
  SEND…SEVERAL _ PEOPLE|(to|for) (my|me|us|him|her|them|the|our)…and…(to|for) (my|me|us|him|her|
  them|the|our|a|another)|each (to|for)|SEVERAL _ PEOPLE…receive|to _ _ and (one|1|a|another|
  the other) _ (goes )?(to|for); letters = notify…(SEND|leaves|left|arrives?)|(email|e mail|inbox|
  notification) + (get|receive|write|when|shipped|leaves?|confirmation|after|arrives?)|(anybody|
  somebody|someone|be|get) (tell|tells|told|notified|informed)…(when|SEND|left)|(which|
  what) (e ?mails|letters) (do|will|does)|receipt; ?, delivery = (what time|time of day) + SEND|
  mailbox|be (at )?home|SEND…(specific|certain|particular|chosen|fixed) (date|day|time)|
  SEND + (weekend|saturday|sunday|holiday|sign|signature)|(nobody|no one) + (there|home|package|
  door)|(leave|left) + (neighbou?r|door|porch); delivery = SEND…(next (week|month)|later)|delay*|
  how many (days|weeks)|(latest|deadline|ago) + order|(deliver*|ship*|it|order) _ (take|within|in|
  up to|longer|less)…(days?|weeks?)|(how fast|how soon|how quick*) + (SEND|arrive|be here|get|have|
  reach)|how long + (SEND|arrive)|take + reach|SEND…roasted|order + (make it|in time)|
  how long (does it take|will it (take|be)|until|till|to get it)(?!.*\b(brew|steep|press))|
  SEND (time|date)|when…(arrive|get (it|my)|come|SEND)|faster|sooner|(same|next) day|(fastest|
  quickest|soonest|earliest) + (box|package|parcel|SEND|get it)|overnight (it|them|SEND)|
  SEND…overnight|express|(SEND|here|arrive|have|need|want|get|got|expect|come|there)…(by|on|before|
  in time for) (the |my |her |his )?(\d+(st|nd|rd|th)? (of )?)?(DAY|next)|SEND…(DAY|week)|
  roast(ed)? (to|after|once)…order; ? = SEND…from\b|(which|what) (carrier|courier|delivery compan(y|
  ies)|delivery service)|(ups|usps|fedex|dhl)\b|insur*|loss in transit; ?, tracking = text me when;
  tracking = track*|(look up|see|view|find|check) + (bought|purchase|ordered|placed)|(learn|
  find out|know|notified|notice|agent) + (shipped|left|on its way)|order + (went through|
  gone through|confirmation|confirmed)|SEND…(yet|already)|where…(my|the|our) (order|package|parcel|
  bag|shipment)|status + order|(see|view|find|check|show|open|look at)…(my|the|our|his|her|
  their) order|follow + (order|SEND)|(link|page) + order|no order (yet|number);
  shipping = FEE + SEND|(FEE|more|extra) + (STATE); ?, destination = po box(es)?;
  destination = (STATE) _ (ok|okay|fine|too|included|covered|possible)|(can|could|may|will|
  would) (a|my|our|someone|somebody) _ _ in .*(get|have|order|buy|receive)|SEND…(to|in|there|
  international*|abroad|overseas|worldwide)\b.*|(military|virgin islands|states?|zip( code)?|
  apo) + SEND|zip( code)?( is)? \d{5}|(address|soldier|brother|sister|son|daughter|husband|
  wife) + (army|navy|military|deployed|apo|fpo|dpo)|military base|(apo|fpo|dpo)\b|
  international (shipping|delivery)|SEND address|(do|can|will) you (ship|deliver)( to .*)?|
  (recipient )?(lives?|living|located) in .*|(friend|sister|brother|mother|father|mum|mom|dad|uncle|
  aunt|cousin|neighbou?r|someone|somebody) in .*(order|buy); shipping = SEND( cost|price|fee)?;
  prices = (price|pay) + (same for|everybody|everyone); ?, quotes = prices…(go up|rise|rising|
  increase); unpaid_hold = (hold|holding|held|keep|kept|back|free*|released?|blocked|
  tied up) + (unpaid|tab|(started|begun|begins|in the middle of) paying|payment page|last bag|
  checkout|(shopper|buyer|customer|someone|somebody) (else )?(has|holds|is holding))|(pay|payment|
  checkout) page + (open|close[sd]?|expire*|how long|time|minute)|how many minutes + (PAY|hold|held|
  kept|card)|started (paying|payment)|press(ed|ing)? pay|(crash*|closed|halfway|died) + (paying|
  payment)|(finished|released?) + (checkout|stock)|lose (my|the) bags + (PAY|payment)|(someone|
  somebody) (else )?(is )?(just )?paying|(walk|leave|leaves|block|blocks) + (payment page|payment|
  checkout)|bag…back to (others|somebody|stock)|(shopper|someone|somebody|
  another buyer) + (last (bag|one)|holds?|holding); quotes, unpaid_hold = reserve|(reserve|mine|
  secured) + (stock|quote)|(put|set|keep|hold)…aside|put by + quote|hold (it|one|them|(a|the|my|
  some|SEVERAL) (coffee|bag|order))|keep (me )?(some|SEVERAL) bags?.*(shelf|me|us)|
  hold + (overnight|tomorrow|until|while)|how long…to pay; quotes = (price|dont pay|ago|usable|
  how long|final|replace|total|term|change|fix*|lock*|valid|expire|expiry|lasts?|good|hold|keep|
  reserve|stale|ran out|run out|edit|modify|amend|update|rises?|old|guarante*) + quote;
  tax, shipping = (hidden|extra|additional|any) (fee|cost|charge)|surcharge; approval = charge (my|
  the|our)|(place|make|how (do|can|does|would|to)\b.*) (an |the |my )?(order|buying|purchase|
  checkout)(ing)?|how (do|does|can|will|would|should) (i|we|they|agents?|an? \w+|my \w+) (order|buy|
  pay|checkout)|who (pays|approves)|quote|checkout|charged|after (i|we) (pay|order)|(can|will|could|
  do) you (just |please )?(pay|order|buy)|(review|payment) link; rates = (request|call|quote|
  question) + (per (minute|second|hour|day))|how fast…request|rate limit|rate limit + (tool|
  endpoint)|(request|call) + (minute|hour|second|per day|limit|allowed|fire|how many|too many)|
  how often + (poll|call|ask you); account = become a customer|(?<!(ones?|coffees?|
  beans?)\b.*)(without|need|needs|require|requires) + (key(?! note)|register|registration|token)|
  (work|service|read|browse) + key|before…registered|(endpoint|tool|agent) + (no key)|account|
  sign ?up|register|(open)?api|mcp; ? = who roasts|where (do|are|is) _ _ roast*|(your|
  best) roaster*|half caf*; delivery, ? = when do you roast|roast(ed|ing)? (date|day|on|when|
  fresh*)|(stay )?fresh*|how old|(when|how soon|how long)…roasted; blends = blend(ed)?|
  single origin|variety pack; No, sells = green (coffee|bean)|unroasted|raw (coffee|bean);
  ?, sells = (sell|have|carry|offer|got) (any )?_ (mug|tea|chai|hot chocolate|syrup|
  filter)(?! (note|like|flavou?r|coffee))|equipment|machine should|grinder(?! setting)|kettle;
  language = speak; us = who are you|are you (a |an )?(bot|human|ai|robot|real|person)|your name;
  currency = currenc(y|ies)|are _ prices in; ? = what (does|do) (\w+ ){1,3}mean|what (is|are) (a |
  an |the )?(washed|natural|honey|anaerobic|wet hulled|heirloom|light roast|espresso|cold brew|
  pour over) ?(process*|coffees?)?$|difference between (washed|natural|honey|light|medium|dark|
  arabica) _ and (washed|natural|honey|light|medium|dark|robusta)|(should|do|can) i (store|keep)|
  how long…(last|keep|good)|best (before|by)|how many (cups|servings|shots|brews)|harvest*|crop|
  popular|best ?sell*|bitter*|(food )?pair(s|ings?)?|goes? (well )?with (?!milk|cream)|(more|most|
  higher|highest|stronger|how much|amount of|level of|content|lots? of|little|high in) + caffeine|
  decaf…(contain|have|any|some)…caffeine|clean*|where…(i|we) (start|begin)|in (store|person)|
  come by|visit you|have a (cafe|shop|store)|opening hour|open (on )?(DAY|now)|pick (it |them |
  my order )?up|where (are|is) (you|your (shop|company))( located| based)?|(taste|try) (it |
  them )?before|(completely|totally|entirely|fully|100%?)…(free|caffeine); ? = marketing|cookies|
  membership|standing order|after ?taste|most sold|others (buy|like)|customers? _ (like|love|prefer|
  buy|favou?rite); tax = duty|duties; approval, ? = klarna|venmo|cheque|mastercard|master ?card;
  gift = greeting card; discounts = seasonal|referr?al|cash ?back|on sale; bulk = we (are|
  run|own) a (cafe|restaurant|shop|office); refunds = exchange; substitutions = runs? out…instead;
  problem = spoiled|soaked|customer service|hotline; sizes = pre ?ground|nespresso|keurig|k ?cups?|
  instant( coffee)?; ?, delivery = postpone*|rush; delivery = arrive*; quotes = binding|guarantee*;
  ?, sells = paper filter|merch*|matcha; us = run by|what are you|about (you|your (shop|company))|
  who (made|built) (you|this)|(which|what) model; account = log ?in|developer;
  currency = dollars or; gift = birthday`;
