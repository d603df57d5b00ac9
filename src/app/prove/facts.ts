/** What a run concludes: one entry a fact, each from what was seen alone. */
import { fromMicros, type Micros } from '../../domain/money.ts';
import { levelCount, levelsOf } from '../../domain/price-list.ts';
import { DURATION_S, HEARTBEAT_S, type Tried } from './bench.ts';
import { type Conclusion, concluded, honoured, OFF_TICK, type Shown } from './convention.ts';
import type { BetslipSeen, Evidence, OrderSeen, RepeatSeen } from './evidence.ts';
import { type Proof, type ProvenFact, wordsOf } from './proof-file.ts';

/** A fact with what was sent and seen for it. */
export interface Found extends ProvenFact {
  /** The requests that left; empty if none did. */
  readonly sent: string;
  /** The requests that did not leave, and on which the fact would rest as well; empty if all did. */
  readonly notAsked: string;
  readonly seen: string;
}

type Judged = Omit<Found, 'name' | 'sent' | 'notAsked'>;

/** A request on which a fact rests. */
interface Request {
  readonly what: string;
  /** Its name on the wire, as `WireWatch.timesSent` has it. */
  readonly name: RegExp;
  /** How often it leaves; 1 if omitted. */
  readonly times?: number;
}

interface Fact {
  readonly name: string;
  readonly requests: readonly Request[];
  readonly judge: (evidence: Evidence) => Judged;
}

const asDocumented = (seen: string, why: string): Judged => ({ verdict: 'as documented', seen, why });
const differs = (seen: string, why: string): Judged => ({ verdict: 'differs', seen, why });
const unknown = (seen: string, why: string): Judged => ({ verdict: 'unknown', seen, why });
const judgedBy = (isSo: boolean, seen: string, so: string, otherwise: string): Judged =>
  isSo ? asDocumented(seen, so) : differs(seen, otherwise);

/** Judges a result; without one the fact is unknown. */
const whenTried = <T>(tried: Tried<T>, judge: (value: T) => Judged): Judged =>
  tried.ok ? judge(tried.value) : unknown('nothing', tried.why);

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const usdt = (micros: Micros): string => `${fromMicros(micros).toFixed(2)} USDT`;
const within = (value: number, wanted: number, tolerance: number): boolean =>
  Math.abs(value - wanted) <= tolerance;

/** What `against` prices are. */
export function conclusionOf({ market, against }: Evidence): Conclusion {
  const { votes } = market;
  if (!against.ok) return concluded({ votes, reported: null, shown: null });
  return concluded({ votes, reported: against.value.reportedPrice, shown: oursIn(against.value) });
}

/** How the order shows; null if it does not, or if the stake that shows may be of others. */
const oursIn = ({ shown }: OrderSeen): Shown | null =>
  shown.ok && shown.value?.stake !== 'neither' ? shown.value : null;

/** Whether our resting orders against a selection show. */
export function visibleIn({ against, lay }: Evidence): Proof['visible'] {
  const isShown = (order: Tried<OrderSeen>): boolean => order.ok && oursIn(order.value) !== null;
  return { against: isShown(against), lay: isShown(lay) };
}

function judgeConvention(evidence: Evidence): Judged {
  const { market, against } = evidence;
  const { odds, lay } = market.votes;
  const order = against.ok ? whereShown(against.value) : `none (${against.why})`;
  const seen = `${odds} selections can only have odds, ${lay} only lay prices; the order: ${order}`;
  const { convention, why } = conclusionOf(evidence);
  return convention === null
    ? unknown(seen, why ?? '')
    : asDocumented(seen, `against prices are ${wordsOf(convention)} (${convention})`);
}

const whereShown = ({ reportedPrice, shown }: OrderSeen): string =>
  `reported at ${reportedPrice}, ${shown.ok ? shownInWords(shown.value) : shown.why}`;

function shownInWords(shown: Shown | null): string {
  if (shown === null) return 'not seen in the for offers';
  const { price, stakeMicros, ownPrice } = shown;
  return `${usdt(stakeMicros)} more at ${price} in the for offers, which is ${ownPrice} as ${shown.kind}`;
}

const STAKES: Readonly<Record<Shown['stake'], string>> = {
  taker: 'the stake that takers need to match all of it',
  own: 'our own stake',
  'other side': 'the stake of our other side',
  neither: 'a stake that is not ours',
};

const judgeVisible = (order: Tried<OrderSeen>): Judged =>
  whenTried(order, (it) =>
    whenTried(it.shown, (shown) => {
      const seen = shownInWords(shown);
      if (shown === null && it.isCut)
        return unknown(seen, 'the offers end above its price, so it may be beyond their levels');
      if (shown === null) return differs(seen, 'it does not show');
      const found = `it shows, with ${STAKES[shown.stake]}`;
      return shown.stake === 'neither'
        ? unknown(seen, found)
        : judgedBy(shown.stake === 'taker', seen, found, found);
    }),
  );

function judgeDuration({ against }: Evidence): Judged {
  return whenTried(against, ({ lifeMs }) => {
    if (lifeMs === null) return unknown('no expiry_time or no placement_time', 'the order does not tell');
    const seen = `expiry_time is ${seconds(lifeMs)} after placement_time`;
    const isSo = within(lifeMs, DURATION_S * 1000, 1_000);
    return judgedBy(isSo, seen, 'duration is in seconds', 'duration is not in seconds');
  });
}

/** Allows for an answer on its way, and clocks that differ. */
const CLOCKS_MS = 3_000;
/** A refresh moves an expiry by the time that has passed; allows for rounding to seconds. */
const ROUNDING_MS = 1_000;

function judgeHeartbeat({ heartbeat }: Evidence): Judged {
  return whenTried(heartbeat, ({ leftMs, extendedMs, refreshedAfterMs, isGone, others }) => {
    if (leftMs === null || extendedMs === null)
      return unknown('no expiry_time', 'the heartbeat does not tell');
    const seen = `it expires ${seconds(leftMs)} later; a refresh after ${seconds(refreshedAfterMs)} gave it ${seconds(extendedMs)} more; after its deletion it is ${isGone ? 'gone' : 'still listed'}; ${others} others on the account`;
    if (!within(leftMs, HEARTBEAT_S * 1000, CLOCKS_MS))
      return differs(seen, 'timeout is not the time to the expiry');
    if (!isExtended(extendedMs, refreshedAfterMs)) return differs(seen, 'a refresh does not extend it');
    return judgedBy(isGone, seen, 'timeout is in seconds, a refresh extends', 'it outlives its deletion');
  });
}

const isExtended = (extendedMs: number, afterMs: number): boolean =>
  extendedMs > 0 && extendedMs >= afterMs - ROUNDING_MS;

function judgeTracked({ lookups }: Evidence): Judged {
  return whenTried(lookups, ({ orderId, tracked, unused }) => {
    const seen = `the order's uuid: ${tracked === null ? '404' : `order ${tracked}`}; an unused uuid: ${unused === null ? '404' : `order ${unused}`}`;
    if (tracked !== orderId) return differs(seen, 'a uuid does not find its order');
    return judgedBy(
      unused === null,
      seen,
      'a uuid finds its order and no other',
      'an unused uuid finds an order',
    );
  });
}

function judgeRepeat({ lookups }: Evidence): Judged {
  return whenTried(lookups, ({ orderId, repeated, changed }) => {
    const seen = `same body: ${repeatInWords(repeated)}; another price: ${repeatInWords(changed)}`;
    const isSo = [repeated, changed].every((each) => each.isRefused && each.orderId === orderId);
    return judgedBy(
      isSo,
      seen,
      'a repeated uuid makes no second order',
      'a uuid is no protection against a second order',
    );
  });
}

const repeatInWords = ({ isRefused, orderId }: RepeatSeen): string =>
  isRefused ? `409 that names order ${orderId ?? 'none'}` : `accepted as order ${orderId}`;

function judgeClose({ against }: Evidence): Judged {
  return whenTried(against, ({ closed }) =>
    whenTried(closed, ({ reason, afterMs }) => {
      const seen = `close_reason ${reason ?? 'null'}, on the stream after ${seconds(afterMs)}`;
      return judgedBy(
        reason === 'cancelled',
        seen,
        'a close is cancelled',
        `a close is ${reason ?? 'without a reason'}`,
      );
    }),
  );
}

/** An order that the stream tells of later is of no use for quoting. */
const LONGEST_LATENCY_MS = 5_000;

function judgeLatency({ against, lay }: Evidence): Judged {
  const orders = [against, lay].flatMap((order) => (order.ok ? [order.value] : []));
  if (orders.length === 0) return unknown('nothing', against.ok ? 'no order' : against.why);
  const streamed = orders.flatMap(({ streamedMs }) => (streamedMs === null ? [] : [streamedMs]));
  const answered = orders.flatMap(({ answeredMs }) => (answeredMs === null ? [] : [answeredMs]));
  const seen = `${orders.length} orders; to the answer ${spread(answered)}; to the stream's entry ${spread(streamed)}`;
  if (streamed.length < orders.length) return differs(seen, 'the stream does not tell of every order');
  const worst = Math.max(...streamed);
  return judgedBy(
    worst <= LONGEST_LATENCY_MS,
    seen,
    `the stream tells within ${seconds(worst)}`,
    'the stream is late',
  );
}

function spread(values: readonly number[]): string {
  if (values.length === 0) return 'none';
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)}`;
  return `${at(0)}/${at(0.5)}/${at(1)} ms (least/middle/most)`;
}

/** Third parties say 45 s. */
const [LEAST_LIFE_MS, LONGEST_LIFE_MS] = [10_000, 120_000];
const LONGEST_QUOTE_MS = 5_000;

function judgeBetslip({ betslips }: Evidence): Judged {
  return whenTried(betslips.normal, ({ leftMs, quotedAfterMs }) =>
    whenTried(betslips.refresh, ({ extendedMs, afterMs }) => {
      if (leftMs === null || extendedMs === null) return unknown('no expiry_ts', 'the betslip does not tell');
      const seen = `it expires ${seconds(leftMs)} after its creation; the first quote came after ${seconds(quotedAfterMs)}; a refresh after ${seconds(afterMs)} gave it ${seconds(extendedMs)} more`;
      if (leftMs < LEAST_LIFE_MS || leftMs > LONGEST_LIFE_MS)
        return differs(seen, `it lives ${seconds(leftMs)}`);
      if (!isExtended(extendedMs, afterMs)) return differs(seen, 'a refresh does not extend it');
      const isQuick = quotedAfterMs <= LONGEST_QUOTE_MS;
      return judgedBy(isQuick, seen, `it lives ${seconds(leftMs)}, a refresh extends`, 'its quote is late');
    }),
  );
}

function judgeStatus({ wire, earlierOrders }: Evidence): Judged {
  const forms = [...wire.statuses];
  if (forms.length === 0)
    return whenTried(earlierOrders, () => unknown('no bet', 'the last orders of the account have no bets'));
  const seen = forms.join(', ');
  return judgedBy(
    !forms.includes('another form'),
    seen,
    `status is ${seen}`,
    'status has a form that is not published',
  );
}

function judgeMoments({ wire }: Evidence): Judged {
  const forms = Array.from(wire.moments, ([name, each]) => `${name}: ${[...each].join(', ')}`);
  const seen = forms.toSorted().join('; ');
  const isKnown = !Array.from(wire.moments.values()).some((each) => each.has('another form'));
  if (!wire.moments.has('ts') || !wire.moments.has('expiry_ts')) return unknown(seen, 'not all were seen');
  return judgedBy(isKnown, seen, seen, 'an instant has a form that is not published');
}

function judgeLayBetslips({ betslips: { layFor, layAgainst, normal }, lay }: Evidence): Judged {
  const placed = lay.ok ? `; an order at ${OFF_TICK} is ${whereShown(lay.value)}` : '';
  const seen = `on for: ${slipInWords(layFor)}; on against: ${slipInWords(layAgainst)}; a normal one on against: ${slipInWords(normal)}${placed}`;
  if (!layFor.ok && !layAgainst.ok && !normal.ok && layFor.why === normal.why)
    return unknown('nothing', layFor.why);
  if (!layFor.ok || !layAgainst.ok) return differs(seen, 'not accepted on both bet types');
  // Lay prices of a selection whose book is not crossed are at least its best for price.
  const { priceList, bestFor } = layFor.value;
  const isLay = levelsOf(priceList).every(({ price }) => price >= bestFor);
  if (!isLay) return differs(seen, 'its prices on for are no lay prices');
  return judgedBy(
    !isMovedUp(lay),
    seen,
    'accepted on both bet types, with lay prices',
    'its limit moves the wrong way',
  );
}

function isMovedUp(order: Tried<OrderSeen>): boolean {
  const shown = order.ok ? oursIn(order.value) : null;
  return shown !== null && shown.ownPrice !== honoured('lay-for');
}

const slipInWords = (slip: Tried<BetslipSeen>): string =>
  slip.ok ? `accepted, quote ${listInWords(slip.value)}` : slip.why;

function listInWords({ priceList }: BetslipSeen): string {
  const prices = levelsOf(priceList).map(({ price }) => price);
  return levelCount(priceList) === 0
    ? 'empty'
    : `${prices.slice(0, 3).join(', ')}${prices.length > 3 ? ', …' : ''}`;
}

function judgeCounts({ counts }: Evidence): Judged {
  return whenTried(counts, ({ listed, informed, registered, betslips }) => {
    const events = `${listed} registered by the list, ${informed} by info, ${registered} by our count`;
    const isRegistered = listed === registered && informed === registered;
    if (!isRegistered) return differs(events, 'registered events are counted otherwise');
    if (betslips === null) return asDocumented(events, 'the count of registered events is ours');
    const { before, made, now } = betslips;
    const seen = `${events}; open betslips: ${before} before, ${made} made, ${now} now`;
    return judgedBy(
      now === before + made,
      seen,
      'the counts are ours',
      'open betslips are counted otherwise',
    );
  });
}

const ORDER = `an order of the smallest stake at ${OFF_TICK}, duration ${DURATION_S} s,`;
const ON_AGAINST: Request = { what: `${ORDER} on against`, name: /^POST \/v2\/orders\/ normal against$/ };
const ON_LAY: Request = { what: `${ORDER} on a lay betslip for`, name: /^POST \/v2\/orders\/ lay for$/ };

/** Every fact. */
export const FACTS: readonly Fact[] = [
  {
    name: 'convention',
    requests: [{ what: 'GET offers', name: /^GET \/v2\/offers\/$/ }, ON_AGAINST],
    judge: judgeConvention,
  },
  { name: 'against-visible', requests: [ON_AGAINST], judge: ({ against }) => judgeVisible(against) },
  { name: 'lay-visible', requests: [ON_LAY], judge: ({ lay }) => judgeVisible(lay) },
  { name: 'duration', requests: [ON_AGAINST], judge: judgeDuration },
  {
    name: 'heartbeat',
    requests: [
      { what: `a heartbeat of ${HEARTBEAT_S} s`, name: /^POST \/v2\/heartbeats\/$/ },
      { what: 'its refresh', name: /^POST \/v2\/heartbeats\/.+\/refresh\/$/ },
      { what: 'its deletion', name: /^DELETE \/v2\/heartbeats\// },
    ],
    judge: judgeHeartbeat,
  },
  {
    name: 'tracked',
    requests: [
      {
        what: 'GET tracked, with the uuid of the order and with an unused one',
        name: /^GET \/v2\/orders\/tracked\//,
      },
    ],
    judge: judgeTracked,
  },
  {
    name: 'repeated-uuid',
    requests: [{ ...ON_AGAINST, what: 'the order again, and again with another price', times: 3 }],
    judge: judgeRepeat,
  },
  {
    name: 'close-reason',
    requests: [{ what: 'close of the order', name: /^POST \/v2\/orders\/.+\/close\/$/ }],
    judge: judgeClose,
  },
  { name: 'order-latency', requests: [ON_AGAINST, ON_LAY], judge: judgeLatency },
  {
    name: 'betslip',
    requests: [
      { what: 'a normal betslip on against', name: /^POST \/v2\/betslips\/ normal against$/ },
      { what: 'its refresh', name: /^POST \/v2\/betslips\/.+\/refresh\/$/ },
    ],
    judge: judgeBetslip,
  },
  {
    name: 'bet-status',
    requests: [{ what: 'GET orders, the last 25', name: /^GET \/v2\/orders\/$/ }],
    judge: judgeStatus,
  },
  { name: 'timestamps', requests: [{ what: 'every request of this run', name: /./ }], judge: judgeMoments },
  {
    name: 'lay-betslips',
    requests: [
      { what: 'a lay betslip on for', name: /^POST \/v2\/betslips\/ lay for$/ },
      { what: 'a lay betslip on against', name: /^POST \/v2\/betslips\/ lay against$/ },
    ],
    judge: judgeLayBetslips,
  },
  {
    name: 'counts',
    requests: [
      { what: 'a registration', name: /^register_event$/ },
      { what: 'list_registered_events', name: /^list_registered_events$/ },
      { what: 'GET betslips', name: /^GET \/v2\/betslips\/$/ },
    ],
    judge: judgeCounts,
  },
];

/** Judges every fact from the evidence alone, and tells by the wire what was asked for it. */
export const judged = (evidence: Evidence): readonly Found[] =>
  FACTS.map(({ name, requests, judge }) => {
    const hasLeft = (request: Request): boolean =>
      evidence.wire.timesSent(request.name) >= (request.times ?? 1);
    const inWords = (some: readonly Request[]): string => some.map(({ what }) => what).join('; ');
    const sent = inWords(requests.filter(hasLeft));
    const notAsked = inWords(requests.filter((request) => !hasLeft(request)));
    return { name, sent, notAsked, ...judge(evidence) };
  });
