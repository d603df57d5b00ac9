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
  durationS: live('lifetime asked for each order', integer(5, 3600), 30),
  heartbeatTimeoutS: fixed(
    "the dead-man's switch: orders close this long after we stop refreshing it",
    integer(10, 300),
    heartbeat.timeoutS,
  ),
  openBetslips: fixed(
    'open betslips assumed until the exchange tells, which is remembered over restarts',
    integer(1, 10000),
    9,
  ),
  drainTimeoutS: fixed('longest time to close orders at the end', number(1, 600), 20),
  renewLeadS: live(
    'a quote still wanted is renewed this long before its order lapses',
    number(0.5, 60),
    seconds(orders.renewLeadMs),
  ),
  replacement: live(
    'whether the new order of a moved quote is placed before the old one is closed (both count in exposure), or after',
    ['place-first', 'close-first'],
    orders.replacement,
  ),
  toleranceAwayTicks: live(
    'ticks by which an order may lie further from the market than its quote and still be kept',
    integer(0, 20),
    orders.toleranceAwayTicks,
  ),
  toleranceTowardTicks: live(
    'the same towards the market, where keeping it is dearer',
    integer(0, 20),
    orders.toleranceTowardTicks,
  ),
  minStakeUsdt: live(
    'the least stake that the exchange takes: quotes of less are not placed',
    number(0, 1e6),
    fromMicros(orders.minStakeMicros),
  ),
  minStakeRatio: live(
    'an order is kept while its unfilled stake is at least this part of the quote’s',
    number(0, 1),
    orders.minStakeRatio,
  ),
  maxStakeRatio: live('and at most this multiple of it', number(1, 10), orders.maxStakeRatio),
  postOnlyMarginTicks: live(
    'ticks between a passive order and what it would take',
    integer(1, 20),
    orders.postOnlyMarginTicks,
  ),
  maxInFlight: live('orders being created at the same time', integer(1, 5), orders.maxInFlight),
  retryS: live(
    'a quote refused by risk or the exchange is tried again after this',
    number(0.1, 60),
    seconds(orders.retryMs),
  ),
  takenBackoffS: live(
    'after an order took where it should have rested, its market is left alone this long; doubles',
    number(1, 600),
    seconds(orders.takenBackoffMs),
  ),
  latestLandingS: fixed(
    'a create request may still reach the exchange this long after it was sent: before that, absence proves nothing',
    number(1, 600),
    seconds(orders.latestLandingMs),
  ),
  durationToleranceS: fixed(
    'an order’s lifetime on the exchange may differ from what was asked by this much',
    number(0.1, 10),
    seconds(orders.durationToleranceMs),
  ),
  adoptionGraceS: fixed(
    'orders of an earlier run that nobody wants after this are closed',
    number(0, 300),
    seconds(orders.adoptionGraceMs),
  ),
  dropCopyEveryS: live(
    'how often the account’s updates are compared behind the stream',
    number(5, 3600),
    seconds(orders.dropCopyEveryMs),
  ),
  otherHeartbeats: fixed(
    'what a heartbeat means that another program keeps on the account: place nothing, or trade beside it',
    ['wait', 'tolerate'],
    orders.otherHeartbeats,
  ),
  heartbeat: {
    refreshRatio: fixed(
      'refreshed after this part of its timeout',
      number(0.05, 0.5),
      heartbeat.refreshRatio,
    ),
    sendReserveS: fixed(
      'nothing is sent with less of it left; at most half of the timeout counts',
      number(1, 120),
      seconds(heartbeat.sendReserveMs),
    ),
    streamGraceS: fixed(
      'the account stream may be lost this long before it is left to expire',
      number(1, 120),
      seconds(heartbeat.streamGraceMs),
    ),
    retryS: fixed('a failed call is repeated after this', number(0.2, 10), seconds(heartbeat.retryMs)),
  },
  betslips: {
    refreshLeadS: live(
      'refreshed when this little of its life is left',
      number(1, 60),
      seconds(betslips.refreshLeadMs),
    ),
    lifeS: fixed('life assumed when the exchange reports none', number(3, 600), seconds(betslips.lifeMs)),
    idleS: live('one nobody asked for is deleted after this', number(1, 600), seconds(betslips.idleMs)),
    quoteMaxAgeS: live(
      'an older private quote is not acted on',
      number(1, 60),
      seconds(betslips.quoteMaxAgeMs),
    ),
    quoteTimeoutS: live(
      'one that has had no usable quote for so long is given up',
      number(1, 60),
      seconds(betslips.quoteTimeoutMs),
    ),
    perDay: fixed('betslips that the exchange allows in a rolling day', integer(10, 2000), betslips.perDay),
    burst: fixed(
      'so many may be used at once, at most half of the day’s; the rest is spread over it',
      integer(1, 2000),
      betslips.burst,
    ),
    dailyReserve: fixed(
      'so many of the day are kept back for reducing risk',
      integer(0, 500),
      betslips.dailyReserve,
    ),
    longestDurationS: live(
      'longest life asked for an order on a market that has no betslip of its own',
      integer(5, 86400),
      betslips.longestDurationS,
    ),
    refusedBackoffS: live(
      'after a refused create its market is left alone this long; doubles',
      number(1, 3600),
      seconds(betslips.refusedBackoffMs),
    ),
    capProbeS: fixed(
      'so long after a start or a refusal, one more open betslip is tried, and as many more as fit',
      number(10, 86400),
      seconds(betslips.capProbeMs),
    ),
  },
  closeOut: {
    pauseS: live(
      'after everything was closed behind our back nothing is placed for this long',
      number(0, 600),
      seconds(closeOut.pauseMs),
    ),
    slowForS: live(
      'then quotes come back slowly, for this long',
      number(0, 3600),
      seconds(closeOut.slowForMs),
    ),
    slowEveryS: live('one order in this time', number(0.1, 60), seconds(closeOut.slowEveryMs)),
  },
};
