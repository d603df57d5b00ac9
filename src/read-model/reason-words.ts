/**
 * What keeps a quote from resting, in words for people. `why`, metrics and the journal have the codes; a terminal and a page show these
 * words. Each code belongs to a group, so that many selections fit into one line.
 */

/** The words of a code, and the words of its group after a number: `18 wait for betslips`. */
type Words = readonly [words: string, group: string];

/** The group of selections that the account's betslips do not reach. */
export const WAIT_FOR_BETSLIPS = 'wait for betslips';

const TURN = 'wait for their turn';
const PRICES = 'without fresh prices';
const LIMIT = 'at a risk limit';
const STREAM = 'wait for the stream';
const HEARTBEAT = 'wait for a heartbeat';
const STOPPED = 'stopped';
const ACCOUNT = 'wait for the account check';
const PLACING = 'being placed';
const MEANING = 'wait for proof of prices';
const COLLAR = 'outside the price collar';
const IN_PLAY = 'by the in-play rules';
const ALLOWED = 'not allowed by risk.allow';
const NO_TICK = 'without a tick near the market';
const INVALID = 'by strategy';

/** The group of every reason of the stage `strategy`. */
const STRATEGY = 'by strategy';

const HALTS: Readonly<Record<string, Words>> = {
  stopped: ['stopped', STOPPED],
  latched: ['the order manager has stopped until a person releases it', STOPPED],
  invariant_broken: ['a bug in the program: it closes its orders and exits', STOPPED],
  journal_failed: ['the journal cannot be read or written', STOPPED],
  draining: ['the daemon closes its orders before it exits', STOPPED],
  kill_unfinished: ['a kill has not closed everything in time', STOPPED],
  key_refused: ['the exchange refuses the key', STOPPED],
  engine_hangs: ['the engine makes no progress', 'event loop'],
  not_started: ['the daemon is connecting and recovering', 'wait for the start'],
  another_installation: ['another installation trades this account', ACCOUNT],
  heartbeat_of_another_process: ['another program keeps a heartbeat on the account', ACCOUNT],
  watching_the_account: ['the daemon looks for other programs on the account', ACCOUNT],
  resync_under_way: ['the daemon reads the account again', ACCOUNT],
  stream_not_synced: ['the stream is not in sync yet', STREAM],
  stream_closed: ['the stream is closed', STREAM],
  stream_distrusted: ['the stream brought more than could be handled', STREAM],
  recovering_from_close_out: ['everything was closed without our request: a pause', HEARTBEAT],
  order_closed_by_others: ['an order was closed without our request: a check of the heartbeat', HEARTBEAT],
  heartbeat_of_an_earlier_run: ['the heartbeat of an earlier run is being deleted', HEARTBEAT],
  heartbeat: ['our heartbeat is not proven to last long enough', HEARTBEAT],
  convention_unproven: ['what the exchange’s prices mean is not proven yet', MEANING],
};

const GUARDS: Readonly<Record<string, Words>> = {
  stale_data: ['the data is stale', PRICES],
  divergence: ['prices differ too much from the reference', 'divergence of prices'],
  score_change: ['a pause after a change of the score', 'score change'],
  red_card: ['a pause after a red card', 'red card'],
  score_age: ['the score was not confirmed lately', 'score too old'],
  suspension: ['the exchange has suspended the event', 'suspended'],
  feed_cleared: ['a pause after the feed was cleared', 'feed cleared'],
  start: ['a pause at the start of the event', 'start of the event'],
  price_jump: ['a pause after a jump of the price', 'price jump'],
  toxicity: ['a pause: recent fills went against us', 'toxic fills'],
  unintended_taking: ['a pause: orders took where they should have rested', 'unintended taking'],
  order_errors: ['a pause: too many orders failed', 'order errors'],
  clock_offset: ['the clock differs from the exchange’s', 'clock'],
  loop_lag: ['the event loop is late', 'event loop'],
  position_mismatch: ['the exchange’s position differs from ours', 'position mismatch'],
};

const REFUSALS: Readonly<Record<string, Words>> = {
  ...limits('stake_limit', 'liability_limit', 'selection_worst_case', 'event_worst_case'),
  ...limits('competition_worst_case', 'sport_worst_case', 'day_worst_case', 'account_worst_case'),
  ...limits('event_gross', 'account_gross', 'strategy_event_worst_case', 'strategy_worst_case'),
  ...limits('strategy_open_orders', 'selection_open_orders', 'event_open_orders', 'account_open_orders'),
  ...limits('day_turnover'),
  balance: ['the balance is too small', 'beyond the balance'],
  balance_unknown: ['the balance is not known', 'beyond the balance'],
  no_reference: ['no reference price is known', PRICES],
  stale_reference: ['the reference price is stale', PRICES],
  collar_adverse: ['the price is too bad for us against the reference', COLLAR],
  collar_away: ['the price is too far from the reference', COLLAR],
  collar_drift: ['the reference has moved since the quote was decided', COLLAR],
  in_play: ['events in play are not allowed', IN_PLAY],
  past_start: ['the event has started', IN_PLAY],
  start_unknown: ['the start of the event is not known', IN_PLAY],
  keep_open_in_play: ['the order would stay open in play', IN_PLAY],
  score_unknown: ['the score of the event in play is not known', IN_PLAY],
  score_stale: ['the score was not confirmed lately', IN_PLAY],
  ...limits('take_event', 'take_hour'),
  take_edge: ['the take has too little edge by its own fair probability', LIMIT],
  message_throttle: ['too many orders in a short time', TURN],
  duplicate_order: ['the same order was placed a moment ago', TURN],
  duplicate_uuid: ['the request was sent before', TURN],
  approval_over: ['the approval has expired', TURN],
  sport_not_allowed: ['the sport is not allowed', ALLOWED],
  competition_not_allowed: ['the competition is not allowed', ALLOWED],
  market_not_allowed: ['the market family is not allowed', ALLOWED],
  halted: ['trading is paused', 'paused'],
  killed: ['trading is killed', STOPPED],
  reducing_only: ['only orders that reduce risk are allowed', 'allowed only to reduce'],
  unknown_event: ['the event is not known', 'of unknown events'],
  bad_stake: ['the strategy’s stake is invalid', INVALID],
  off_tick: ['the strategy’s price is not a tick', INVALID],
  bad_duration: ['the strategy’s lifetime is invalid', INVALID],
  bad_price_kind: ['the strategy’s price is of another kind', INVALID],
  unknown_direction: ['the strategy’s direction is not known', INVALID],
};

const ORDERS: Readonly<Record<string, Words>> = {
  known_by_now: ['the outcome of the first request is known by now', PLACING],
  not_wanted: ['the quote is no longer wanted', PLACING],
  replacing: ['older orders of the quote are still open', PLACING],
  outcome_unknown: ['the outcome of the earlier order is not known yet', 'of unknown outcome'],
  score_unknown: ['the event is in play, and its score is not known', IN_PLAY],
  score_changed: ['the score has changed since the quote was decided', IN_PLAY],
  take_spent: ['the take has had its order', PLACING],
  take_waits: ['the last take on the selection must end first', PLACING],
  first_fill_unchecked: ['what a bet at such a price pays is not confirmed yet', MEANING],
  stake_too_small: ['the stake is less than the exchange takes', 'below the least stake'],
  backing_off: ['a pause after a refused, unsent or taking order', 'pause after a refusal'],
  in_flight_limit: ['too many orders are being created at once', TURN],
  strategy_turn: ['the orders of other strategies come first', TURN],
  slow_after_close_out: ['quotes come back one by one after a close-out', TURN],
  no_market: ['the exchange has not named a market with such prices', 'without a market'],
  risk: ['risk refuses the order', LIMIT],
  betslip_creating: ['the betslip is being created or deleted', WAIT_FOR_BETSLIPS],
  betslip_replaced: ['the betslip was replaced', WAIT_FOR_BETSLIPS],
  quote_pending: ['the betslip has no private quote yet', WAIT_FOR_BETSLIPS],
  quote_stale: ['the betslip’s private quote is too old', WAIT_FOR_BETSLIPS],
  betslip_cap: ['all betslips are in use', WAIT_FOR_BETSLIPS],
  betslip_budget: ['betslips used up', WAIT_FOR_BETSLIPS],
  betslip_pace: ['betslips are spread over the day', WAIT_FOR_BETSLIPS],
  betslip_turn: ['other markets come first', WAIT_FOR_BETSLIPS],
  betslip_refused: ['the exchange refused a betslip: a pause', WAIT_FOR_BETSLIPS],
  market_stale: ['no fresh prices', PRICES],
  would_take: ['the order would take instead of rest', 'too near the market'],
  would_cross_own: ['the order would match one of our own', 'would match our own'],
};

const EARLY: Readonly<Record<string, Words>> = {
  no_prices: ['no fresh prices', PRICES],
  no_tick: ['the exchange has no tick near enough', NO_TICK],
  left: ['a person leaves the event as it is', 'left alone'],
  no_quote: ['the strategy wants none', STRATEGY],
  no_match: ['no strategy matches', STRATEGY],
  owner_absent: ['its strategy does not run', STRATEGY],
  hung: ['its strategy hung and is off', STRATEGY],
  threw: ['its strategy throws', STRATEGY],
  invalid_intent: ['the strategy’s intent was refused', INVALID],
  self_cross: ['the strategy’s two sides would match each other', INVALID],
  too_many_intents: ['the strategy wants too many quotes', INVALID],
  completed: ['the strategy’s stream has ended', STRATEGY],
};

/** The words of every code, without its stage. */
export const REASON_WORDS: Readonly<Record<string, Words>> = {
  ...HALTS,
  ...GUARDS,
  ...REFUSALS,
  ...ORDERS,
  ...EARLY,
};

function limits(...codes: readonly string[]): Record<string, Words> {
  return Object.fromEntries(
    codes.map((code) => [code, [`${spaced(code).replace(/ limit$/, '')} limit`, LIMIT]]),
  );
}

function spaced(code: string): string {
  return code.replaceAll('_', ' ');
}

/** A reason code as it is given: `stage.code`, `code` or `code: detail`. */
function partsOf(reason: string): { readonly stage: string; readonly code: string; readonly detail: string } {
  const [, stage = '', code = '', detail = ''] =
    /^(?:([a-z]+)\.)?(?:guard_)?([^:]*)(?:: ([\s\S]*))?$/.exec(reason) ?? [];
  return { stage, code, detail };
}

/** A reason code in words, without its detail. A code of another version keeps its own words. */
export function reasonInWords(reason: string): string {
  const { code } = partsOf(reason);
  return REASON_WORDS[code]?.[0] ?? spaced(code);
}

/** The same with the detail, which is text for people. Risk's own detail is a code. */
export function reasonWithDetail(reason: string): string {
  const { code, detail } = partsOf(reason);
  if (detail === '') return reasonInWords(reason);
  return code === 'risk' ? reasonInWords(detail) : `${reasonInWords(reason)}: ${detail}`;
}

/** Groups in one word or two, for a narrow column. */
const SHORT: Readonly<Record<string, string>> = {
  [WAIT_FOR_BETSLIPS]: 'betslips',
  [TURN]: 'turn',
  [PRICES]: 'prices',
  [LIMIT]: 'limit',
  [STREAM]: 'stream',
  [HEARTBEAT]: 'heartbeat',
  [ACCOUNT]: 'account',
  [PLACING]: 'placing',
  [MEANING]: 'proof',
  [COLLAR]: 'collar',
  [IN_PLAY]: 'in play',
  [ALLOWED]: 'not allowed',
  [NO_TICK]: 'no tick',
  [STRATEGY]: 'strategy',
  'quoted on one side': 'one side',
  'wait for the start': 'starting',
  'divergence of prices': 'divergence',
  'start of the event': 'start',
  'unintended taking': 'taking',
  'beyond the balance': 'balance',
  'allowed only to reduce': 'reducing',
  'of unknown events': 'unknown',
  'of unknown outcome': 'unknown',
  'below the least stake': 'stake',
  'pause after a refusal': 'refusal',
  'without a market': 'no market',
  'too near the market': 'market',
  'would match our own': 'own order',
};

/** A group of reasons in a word or two: `betslips` for those that wait for betslips. */
export function shortGroup(group: string): string {
  const short = SHORT[group];
  if (short !== undefined) return short;
  return group.startsWith(`${STOPPED}: `) ? STOPPED : group;
}

/** The group of a reason in words that follow a number. Null stands for a quote that nothing stops. */
export function groupOf(reason: string | null): string {
  if (reason === null) return PLACING;
  const { stage, code, detail } = partsOf(reason);
  if (stage === 'strategy') return STRATEGY;
  if (code === 'risk' && detail !== '') return groupOf(detail);
  return REASON_WORDS[code]?.[1] ?? spaced(code);
}
