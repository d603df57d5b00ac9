import { fromMicros } from '../../../domain/money.ts';
import { DEFAULT_ORDER_OPTIONS } from '../../../orders/options.ts';
import { type Format, integer, number } from './formats.ts';

const { heartbeat, betslips, closeOut, ...orders } = DEFAULT_ORDER_OPTIONS;

/** A setting that may change while the daemon runs. */
const live = <T>(doc: string, format: Format | readonly string[], fallback: T) => ({
  ...fixed(doc, format, fallback),
  live: true,
});

/** A setting that takes effect only at a restart. */
const fixed = <T>(doc: string, format: Format | readonly string[], fallback: T) => ({
  doc,
  format: typeof format === 'function' ? format : [...format],
  default: fallback,
});

const seconds = (ms: number): number => ms / 1000;

/** The table `orders`: the options of `orders/options.ts`, in seconds. */
export const ordersSchema = {
  durationS: live('lifetime of each order', integer(5, 3600), 30),
  inPlayDurationS: live(
    'longest lifetime of an order that is placed in play',
    integer(5, 3600),
    orders.inPlayDurationS,
  ),
  heartbeatTimeoutS: fixed(
    "the dead-man's switch: orders close this long after we stop refreshing it",
    integer(10, 300),
    heartbeat.timeoutS,
  ),
  openBetslips: fixed(
    'open betslips: assumed cap until the exchange reveals it; the revealed cap is kept over restarts',
    integer(1, 10000),
    9,
  ),
  drainTimeoutS: fixed('longest time to close orders at a stop', number(1, 600), 20),
  renewLeadS: live(
    'renew an order this long before it lapses, if its quote is still wanted',
    number(0.5, 60),
    seconds(orders.renewLeadMs),
  ),
  replacement: live(
    'when a quote moves: place the new order before the old one is closed (both count in exposure), or after',
    ['place-first', 'close-first'],
    orders.replacement,
  ),
  toleranceAwayTicks: live(
    'keep an order that is at most this many ticks further from the market than its quote',
    integer(0, 20),
    orders.toleranceAwayTicks,
  ),
  toleranceTowardTicks: live(
    'the same towards the market, where keeping it costs more',
    integer(0, 20),
    orders.toleranceTowardTicks,
  ),
  minStakeUsdt: live(
    'minimum stake of the exchange: smaller quotes are not placed',
    number(0, 1e6),
    fromMicros(orders.minStakeMicros),
  ),
  minStakeRatio: live(
    'keep an order while its unfilled stake is at least this part of the stake of its quote',
    number(0, 1),
    orders.minStakeRatio,
  ),
  maxStakeRatio: live(
    'keep an order while its unfilled stake is at most this multiple of the stake of its quote',
    number(1, 10),
    orders.maxStakeRatio,
  ),
  postOnlyMarginTicks: live(
    'ticks between a passive order and the nearest price that it would take',
    integer(1, 20),
    orders.postOnlyMarginTicks,
  ),
  maxInFlight: live('orders that may be created at the same time', integer(1, 5), orders.maxInFlight),
  retryS: live(
    'try a quote again this long after risk or the exchange refused it',
    number(0.1, 60),
    seconds(orders.retryMs),
  ),
  takenBackoffS: live(
    'place no order in a market for this long after one took instead of resting there; doubles each time',
    number(1, 600),
    seconds(orders.takenBackoffMs),
  ),
  latestLandingS: fixed(
    'a create request may reach the exchange up to this long after it was sent; until then, a missing order proves nothing',
    number(1, 600),
    seconds(orders.latestLandingMs),
  ),
  durationToleranceS: fixed(
    'the lifetime of an order on the exchange may differ from the requested one by this much',
    number(0.1, 10),
    seconds(orders.durationToleranceMs),
  ),
  adoptionGraceS: fixed(
    'close orders of an earlier run that no strategy wants after this time',
    number(0, 300),
    seconds(orders.adoptionGraceMs),
  ),
  dropCopyEveryS: live(
    'compare the account’s updates with the stream this often',
    number(5, 3600),
    seconds(orders.dropCopyEveryMs),
  ),
  otherHeartbeats: fixed(
    'if another program keeps a heartbeat on the account: wait places nothing, tolerate trades beside it',
    ['wait', 'tolerate'],
    orders.otherHeartbeats,
  ),
  heartbeat: {
    refreshRatio: fixed(
      'refresh the heartbeat after this part of its timeout',
      number(0.05, 0.5),
      heartbeat.refreshRatio,
    ),
    sendReserveS: fixed(
      'send no order when less than this is left of the heartbeat; at most half of its timeout counts',
      number(1, 120),
      seconds(heartbeat.sendReserveMs),
    ),
    streamGraceS: fixed(
      'let the heartbeat expire once the account stream has been lost for this long',
      number(1, 120),
      seconds(heartbeat.streamGraceMs),
    ),
    retryS: fixed(
      'repeat a failed heartbeat call after this time',
      number(0.2, 10),
      seconds(heartbeat.retryMs),
    ),
  },
  betslips: {
    refreshLeadS: live(
      'refresh a betslip when only this much of its life is left',
      number(1, 60),
      seconds(betslips.refreshLeadMs),
    ),
    lifeS: fixed('life of a betslip, if the exchange reports none', number(3, 600), seconds(betslips.lifeMs)),
    idleS: live('delete an unused betslip after this', number(1, 600), seconds(betslips.idleMs)),
    quoteMaxAgeS: live(
      'ignore a betslip’s private quote that is older than this',
      number(1, 60),
      seconds(betslips.quoteMaxAgeMs),
    ),
    quoteTimeoutS: live(
      'delete a betslip without a usable quote for this long',
      number(1, 60),
      seconds(betslips.quoteTimeoutMs),
    ),
    perDay: fixed('betslips that the exchange allows in a rolling day', integer(10, 2000), betslips.perDay),
    burst: fixed(
      'betslips that may be used at once, at most half of the day’s; the rest is spread over the day',
      integer(1, 2000),
      betslips.burst,
    ),
    dailyReserve: fixed('betslips a day reserved for reducing risk', integer(0, 500), betslips.dailyReserve),
    longestDurationS: live(
      'longest lifetime of an order in a market that keeps no betslip',
      integer(5, 86400),
      betslips.longestDurationS,
    ),
    refusedBackoffS: live(
      'create no betslip in a market for this long after a refusal; doubles each time',
      number(1, 3600),
      seconds(betslips.refusedBackoffMs),
    ),
    capProbeS: fixed(
      'wait this long before trying to exceed the cap, after a start or a refusal; then as many more betslips as fit are opened',
      number(10, 86400),
      seconds(betslips.capProbeMs),
    ),
  },
  closeOut: {
    pauseS: live(
      'place nothing for this long after all orders were closed without our request',
      number(0, 600),
      seconds(closeOut.pauseMs),
    ),
    slowForS: live('then place orders slowly for this long', number(0, 3600), seconds(closeOut.slowForMs)),
    slowEveryS: live(
      'time between two orders while they are placed slowly',
      number(0.1, 60),
      seconds(closeOut.slowEveryMs),
    ),
  },
};
