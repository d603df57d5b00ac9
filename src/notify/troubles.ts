import type { Conditions } from './conditions.ts';
import type { NoticeKind, Severity } from './notice.ts';

/** A state that begins and ends. */
export interface Trouble {
  readonly kind: NoticeKind;
  readonly severity: Severity;
  readonly title: string;
  /** Describes the trouble; null while there is none. */
  readonly begins: (conditions: Conditions) => string | null;
  /** Whether a trouble that has begun is over. Default: it no longer begins. */
  readonly isOver?: (conditions: Conditions) => boolean;
  /** How long ago its cause was there, if the conditions tell it by its age. */
  readonly ageS?: (conditions: Conditions) => number | null;
}

const UNKNOWN_S = 60;
const NOT_QUOTING_S = 300;
/** Between the two shares a loss counts as it did before, so that a loss at the border is notified once. */
const NEAR_LIMIT = 0.8;
const AWAY_FROM_LIMIT = 0.75;

/** Every trouble that is notified, in the order in which one look reports them. */
export const TROUBLES: readonly Trouble[] = [
  {
    kind: 'killed',
    severity: 'page',
    title: 'Killed',
    begins: ({ killed }) =>
      killed === null
        ? null
        : `Everything is stopped and closed: ${killed}. Only a person resumes: touchline resume --reason "…".`,
  },
  {
    kind: 'journal_failed',
    severity: 'page',
    title: 'The journal failed',
    begins: ({ journalFailed }) =>
      journalFailed ? 'Orders are only closed until a restart with a working disk.' : null,
  },
  {
    kind: 'convention_contradicted',
    severity: 'page',
    title: 'Prices mean something else',
    begins: ({ conventionContradicted: how = null }) =>
      how === null
        ? null
        : `Nothing is quoted until a restart: ${how}. See what the exchange does, and correct exchange.againstPrices.`,
  },
  {
    kind: 'order_unknown',
    severity: 'page',
    title: 'An order is unknown',
    begins: ({ oldestUnknownOrderS: ageS }) =>
      ageS !== null && ageS > UNKNOWN_S
        ? `The outcome of an order has been unknown for ${Math.round(ageS)} s. It counts in full. Compare touchline exchange orders with the exchange.`
        : null,
    ageS: ({ oldestUnknownOrderS }) => oldestUnknownOrderS,
  },
  {
    kind: 'not_quoting',
    severity: 'page',
    title: 'Not quoting',
    begins: ({ notQuotingS }) =>
      notQuotingS !== null && notQuotingS >= NOT_QUOTING_S
        ? `Quotes have been wanted for ${Math.round(notQuotingS / 60)} min, and none is open. touchline why shows the reasons.`
        : null,
  },
  {
    kind: 'loss_near_limit',
    severity: 'page',
    title: 'A loss is near its limit',
    begins: ({ limits }) => {
      const near = lossesAbove(limits, NEAR_LIMIT);
      const uses = near.map(({ name, use, limit }) => `${name}: ${use.toFixed(2)} of ${limit} USDT`);
      return near.length === 0 ? null : `${uses.join(', ')}. At the limit everything is stopped.`;
    },
    isOver: ({ limits }) => lossesAbove(limits, AWAY_FROM_LIMIT).length === 0,
  },
  {
    kind: 'heartbeat_lost',
    severity: 'warning',
    title: 'Heartbeat lost',
    begins: ({ heartbeatLost }) =>
      heartbeatLost
        ? 'The exchange closes our orders. Nothing is placed until a new heartbeat is proven.'
        : null,
  },
];

/** The wall-clock instant of the cause of a trouble that is noticed now; now if nothing tells it. */
export const causedMs = ({ kind, ageS }: Trouble, conditions: Conditions, nowMs: number): number =>
  conditions.sinceMs?.[kind] ?? Math.round(nowMs - 1_000 * (ageS?.(conditions) ?? 0));

function lossesAbove(limits: Conditions['limits'], share: number): Conditions['limits'] {
  return limits.filter(({ name, use, limit }) => name.startsWith('loss.') && use >= share * limit);
}
