/** Figures as people read them: money, odds, shares, instants and durations. Times are UTC. */
import { fromMicros } from '../../domain/money.ts';

/** Stands where there is no value. */
export const NOTHING = '–';
const MINUS = '−';

const signed = (text: string): string => text.replace('-', MINUS);

/** Digits in groups of three, separated by thin spaces. */
function grouped(value: number, decimals: number): string {
  const [whole = '', part] = Math.abs(value).toFixed(decimals).split('.');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, '\u2009');
  const text = part === undefined ? groups : `${groups}.${part}`;
  return Number(value.toFixed(decimals)) < 0 ? `${MINUS}${text}` : text;
}

/** Money with two decimals. */
export const amount = (micros: number | null): string =>
  micros === null ? NOTHING : grouped(fromMicros(micros), 2);

/** Money with its sign, which an amount of zero does not have. */
export function profit(micros: number | null): string {
  const text = amount(micros);
  return micros !== null && micros > 0 && text !== '0.00' ? `+${text}` : text;
}

/** A whole number. */
export const count = (value: number): string => grouped(value, 0);

/** A decimal price. */
export const odds = (price: number): string => price.toFixed(2);

/** A fraction as percent with its sign. */
export function percent(fraction: number | null, decimals = 2): string {
  if (fraction === null) return NOTHING;
  const text = grouped(100 * fraction, decimals);
  return fraction > 0 && Number(text) !== 0 ? `+${text} %` : `${text} %`;
}

/** A share of a whole, without a sign. */
export const share = (fraction: number): string => `${(100 * fraction).toFixed(1)} %`;

/** `2026-01-03 19:45:00.250`, in UTC. */
export const instant = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');

const DAY_S = 86_400;
const MINUTE_S = 60;

/**
 * An instant on an axis whose marks are `stepS` apart: the date at a day's beginning, else the time of day. The first mark has both.
 */
export function axisInstant(atS: number, stepS: number, isFirst: boolean): string {
  const text = instant(1000 * atS);
  const [day, time] = [text.slice(5, 10), text.slice(11, stepS < MINUTE_S ? 19 : 16)];
  if (stepS >= DAY_S) return isFirst ? text.slice(0, 10) : day;
  if (isFirst) return `${time}\n${text.slice(0, 10)}`;
  return atS % DAY_S === 0 ? `${time}\n${day}` : time;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** A duration in its largest unit, such as `1.5 h`; below a second in milliseconds. */
export function lasting(ms: number): string {
  const [unit, size] = UNITS.find(([, least]) => Math.abs(ms) >= least) ?? ['ms', 1];
  const value = ms / size;
  return signed(`${Number.isInteger(value) ? value : value.toFixed(1)} ${unit}`);
}
