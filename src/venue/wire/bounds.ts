import { ProtocolError } from '../../domain/errors.ts';
import { CURRENCY, isRecord, readNumber, readTimestamp } from './scalars.ts';
import type { Survey } from './survey.ts';

/** How a number is written: a bare number, a money pair, an instant, or a pair of points. */
type Form = 'number' | 'money' | 'instant' | 'points';

/** The least and the greatest value of a number of the exchange that drives a time, a size or a count. */
export interface Bounds {
  readonly unit: string;
  readonly form: Form;
  readonly least: number;
  readonly most: number;
  /** What counts instead of a value outside: the nearest bound, nothing (null), or the whole object is refused. */
  readonly outside: 'clamp' | 'unknown' | 'refuse';
}

const row =
  (form: Form, unit: string) =>
  (least: number, most: number, outside: Bounds['outside']): Bounds => ({ unit, form, least, most, outside });

const seconds = row('number', 's');
const price = row('number', 'decimal price');
const count = row('number', 'count');
const usdt = row('money', 'USDT');
const points = row('points', 'points');
/** Instants in milliseconds of the wall clock: from the epoch to the end of this century. */
const INSTANT = row('instant', 'ms')(0, Date.UTC(2100, 0, 1), 'unknown');

const DAY_S = 24 * 3_600;
/** No stake, and no sum of stakes, is larger. */
const MOST_STAKE = 1e9;
/** No result of a bet, and no balance, is larger. Micros are exact up to nine times as much. */
const MOST_MONEY = 1e9;
/** No order is matched at a higher price, not even one on ten selections at once. */
const MOST_BET_PRICE = 1e6;
/** The greatest price on the exchange's ladder, and a little less than the odds against it. */
const [LEAST_PRICE, MOST_PRICE] = [1.0001, 1_000];
/** No takers' stake at one price is larger. */
const MOST_LEVEL = 1e8;
const MOST_POINTS = 32_767;

const STAKE = usdt(0, MOST_STAKE, 'clamp');
const RESULT = usdt(-MOST_MONEY, MOST_MONEY, 'unknown');
const BET_PRICE = price(0, MOST_BET_PRICE, 'clamp');
const SCORE = points(0, MOST_POINTS, 'unknown');

/**
 * Every number of the exchange that drives a time, a size or a count, by the name of its object and field.
 *
 * `retry_after`: the limits refill within a minute, except that of the day's betslips. A wait of nothing would be a storm of requests,
 * and one of centuries the end of trading. The greatest wait exceeds what a single request waits (`retry.ts`).
 *
 * Prices and stakes of a market are refused: a market is believed as a whole or not at all. What an order or a bet says of money is
 * bounded, since the order counts in any case. An instant outside is unknown.
 */
export const BOUNDS = {
  retry_after: seconds(1, 180, 'clamp'),
  'retry_after.betslips': seconds(1, DAY_S, 'clamp'),
  'frame.ts': INSTANT,
  'price_list.price': price(LEAST_PRICE, MOST_PRICE, 'refuse'),
  'price_list.min': usdt(0, MOST_LEVEL, 'refuse'),
  'price_list.max': usdt(0, MOST_LEVEL, 'clamp'),
  'betslip.expiry_ts': INSTANT,
  'betslip.life': seconds(1, DAY_S, 'clamp'),
  'betslip.total': usdt(0, MOST_STAKE, 'unknown'),
  'quote.total': usdt(0, MOST_STAKE, 'unknown'),
  'heartbeat.expiry_time': INSTANT,
  'event.start_time': INSTANT,
  'event.end_time': INSTANT,
  'event_info.start_time': INSTANT,
  'event_info.end_time': INSTANT,
  'event_score.score': SCORE,
  'event_red_cards.score': SCORE,
  'event_time.minutes': row('number', 'min')(0, 10_000, 'unknown'),
  'order.placement_time': INSTANT,
  'order.expiry_time': INSTANT,
  'order.life': seconds(0, 90 * DAY_S, 'clamp'),
  'order.want_price': price(1, MOST_BET_PRICE, 'clamp'),
  'order.want_stake': STAKE,
  'order.price': price(0, MOST_BET_PRICE, 'unknown'),
  'order.stake': STAKE,
  'order.profit_loss': RESULT,
  'order.current_score': SCORE,
  'bet.want_price': BET_PRICE,
  'bet.got_price': BET_PRICE,
  'bet.want_stake': STAKE,
  'bet.got_stake': STAKE,
  'bet.profit_loss': RESULT,
  'balance.balance': usdt(-MOST_MONEY, MOST_MONEY, 'refuse'),
  'balance.open_stake': usdt(-MOST_MONEY, MOST_MONEY, 'unknown'),
  'balance.smart_credit': usdt(-MOST_MONEY, MOST_MONEY, 'unknown'),
  'total.got_price': price(0, MOST_BET_PRICE, 'unknown'),
  'total.unknown_price': price(0, MOST_BET_PRICE, 'unknown'),
  'total.got_stake': STAKE,
  'total.unknown_stake': STAKE,
  'position.unknown_bets_num': count(0, 1e6, 'clamp'),
  'position.payoff_grid': row('number', 'USDT')(-MOST_MONEY, MOST_MONEY, 'refuse'),
  'refusal.order_id': row('number', 'id')(1, Number.MAX_SAFE_INTEGER, 'unknown'),
} as const satisfies Readonly<Record<string, Bounds>>;

/** The name of a bounded number. */
export type BoundedName = keyof typeof BOUNDS;

/** The names of the bounded numbers, for metrics. */
export const BOUNDED_NAMES = Object.keys(BOUNDS) as readonly BoundedName[];

/**
 * The number within its bounds, or null where a value outside counts as unknown. One outside is noted with what is used instead.
 * Throws ProtocolError where it is refused.
 */
export function within(name: BoundedName, value: number, survey: Survey): number | null {
  const { least, most, outside }: Bounds = BOUNDS[name];
  if (value >= least && value <= most) return value;
  const used = outside === 'clamp' ? Math.min(most, Math.max(least, value)) : null;
  const result = used === null ? (outside === 'refuse' ? 'refused' : 'left out') : `taken as ${used}`;
  survey.note('out-of-bounds', `${name}=${value}, ${result}`);
  if (outside === 'refuse') throw new ProtocolError(`${name} is out of bounds`);
  return used;
}

/** Whether the number is within its bounds. One outside is noted as `within` does, and is not used. */
export function isWithin(name: BoundedName, value: number, survey: Survey): boolean {
  const { least, most }: Bounds = BOUNDS[name];
  const isInside = value >= least && value <= most;
  if (!isInside) survey.note('out-of-bounds', `${name}=${value}, refused`);
  return isInside;
}

/** A number that is bounded by the nearest bound, as `within`. */
export const clamped = (name: BoundedName, value: number, survey: Survey): number =>
  within(name, value, survey) ?? value;

type Field = readonly [field: string, name: BoundedName];

/** The bounded fields of each object. */
const FIELDS = new Map<string, Field[]>();
for (const name of BOUNDED_NAMES) {
  const at = name.lastIndexOf('.');
  const object = name.slice(0, Math.max(0, at));
  FIELDS.set(object, [...(FIELDS.get(object) ?? []), [name.slice(at + 1), name]]);
}

/**
 * An object of the exchange with its bounded fields within their bounds, in the form in which the exchange writes them; the object
 * itself if all are. Fields that are no numbers stay as they are.
 */
export function withinBounds(object: string, raw: unknown, survey: Survey): unknown {
  const fields = FIELDS.get(object);
  if (fields === undefined || !isRecord(raw)) return raw;
  let bounded = raw;
  for (const [field, name] of fields) {
    const given = raw[field];
    const used = given === undefined ? given : boundedField(name, given, survey);
    if (used !== given) bounded = { ...bounded, [field]: used };
  }
  return bounded;
}

function boundedField(name: BoundedName, given: unknown, survey: Survey): unknown {
  switch (BOUNDS[name].form) {
    case 'number':
      return boundedNumber(name, given, given, survey);
    case 'money':
      return boundedMoney(name, given, survey);
    case 'instant':
      return isInstantOutside(name, given, survey) ? null : given;
    case 'points':
      return arePointsOutside(name, given, survey) ? null : given;
  }
}

/** `given` itself if its number is within the bounds. */
function boundedNumber(name: BoundedName, number: unknown, given: unknown, survey: Survey): unknown {
  const value = readNumber(number);
  if (value === null) return given;
  const used = within(name, value, survey);
  return used === value ? given : used;
}

/** A money pair within its bounds; `given` itself if it is. */
export function boundedMoney(name: BoundedName, given: unknown, survey: Survey): unknown {
  if (!Array.isArray(given)) return given;
  const used = boundedNumber(name, given[1], given, survey);
  return typeof used === 'number' ? [CURRENCY, used] : used;
}

/** A number that is no instant at all is outside, too. */
function isInstantOutside(name: BoundedName, given: unknown, survey: Survey): boolean {
  const ms = readTimestamp(given) ?? readNumber(given);
  return ms !== null && within(name, ms, survey) === null;
}

function arePointsOutside(name: BoundedName, given: unknown, survey: Survey): boolean {
  const pair: readonly unknown[] = Array.isArray(given) ? given : isRecord(given) ? Object.values(given) : [];
  return pair.some((each) => {
    const value = readNumber(each);
    return value !== null && within(name, value, survey) === null;
  });
}

/** An instant in milliseconds; null when it cannot be read or meant. */
export function instantWithin(name: BoundedName, given: unknown, survey: Survey): number | null {
  return isInstantOutside(name, given, survey) ? null : readTimestamp(given);
}
