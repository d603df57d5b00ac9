/**
 * Figures as people read them: money in USDT, odds, percent and time, with the same digits on every page and on the terminal. Times are UTC.
 *
 * The terminal differs in three signs alone. Its figures are copied into commands and sheets, which take neither the minus of print nor
 * spaces between thousands.
 */

/** The signs of a surface. */
interface Signs {
  readonly minus: string;
  /** Stands where there is no value. */
  readonly nothing: string;
  /** Separates thousands. */
  readonly group: string;
}

/** What is written as 1,000 or more: there, cents say nothing at a glance. */
const CENTS_BELOW = 999.995;

class Formats {
  readonly #signs: Signs;

  constructor(signs: Signs) {
    this.#signs = signs;
  }

  /** Stands where there is no value. */
  get nothing(): string {
    return this.#signs.nothing;
  }

  /** An amount at a glance: with cents below 1,000 and without from there on. */
  readonly money = (usdt: number | null): string =>
    usdt === null ? this.nothing : this.decimal(usdt, digitsOf(usdt));

  /** The same with a plus before a gain. */
  gain(usdt: number | null): string {
    return usdt === null ? this.nothing : this.#plus(usdt, digitsOf(usdt));
  }

  /** An amount with its cents, where people check sums: accounts, blotters, tables of a report. */
  cents(usdt: number | null): string {
    return usdt === null ? this.nothing : this.decimal(usdt, 2);
  }

  /** The same with a plus before a gain. */
  gainInCents(usdt: number | null): string {
    return usdt === null ? this.nothing : this.#plus(usdt, 2);
  }

  /** A whole number: a count, or an amount in a narrow place. */
  whole(value: number): string {
    return this.decimal(value, 0);
  }

  /** An amount in the narrowest place, in at most five characters and a sign below ten billion: `12.3`, `850`, `1.2k`, `35M`. */
  short(usdt: number): string {
    const size = Math.abs(usdt);
    const [unit, divisor] = size < 999.5 ? ['', 1] : size < 999_500 ? ['k', 1e3] : ['M', 1e6];
    const value = usdt / divisor;
    const text = this.decimal(value, Math.abs(value) < (unit === '' ? 99.95 : 9.95) ? 1 : 0);
    return `${unit === '' ? text.replace(/\.0$/, '') : text}${unit}`;
  }

  /** A number with so many digits after its point. A negative one that rounds to nothing has no sign. */
  decimal(value: number | null, digits: number): string {
    if (value === null) return this.nothing;
    const [whole = '', part] = Math.abs(value).toFixed(digits).split('.');
    const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, this.#signs.group);
    const text = part === undefined ? grouped : `${grouped}.${part}`;
    return value < 0 && Number(value.toFixed(digits)) !== 0 ? `${this.#signs.minus}${text}` : text;
  }

  /** A share of a whole, in percent. */
  percent(share: number | null, digits = 1): string {
    return share === null ? this.nothing : `${this.decimal(100 * share, digits)} %`;
  }

  /** A gain as a share of a stake, in percent, with a plus if it is one. */
  percentGain(share: number | null, digits = 2): string {
    return share === null ? this.nothing : `${this.#plus(100 * share, digits)} %`;
  }

  /** A length of time that was measured, in its largest unit, such as `1.5 h`. */
  lasting(ms: number): string {
    const [unit, size] = UNITS.find(([, least]) => Math.abs(ms) >= least) ?? ['ms', 1];
    const value = ms / size;
    return `${this.decimal(value, Number.isInteger(value) ? 0 : 1)} ${unit}`;
  }

  #plus(value: number, digits: number): string {
    const text = this.decimal(value, digits);
    return Number(value.toFixed(digits)) > 0 ? `+${text}` : text;
  }
}

const digitsOf = (usdt: number): number => (Math.abs(usdt) < CENTS_BELOW ? 2 : 0);

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** For pages in a browser. */
export const PAGE = new Formats({ minus: '−', nothing: '–', group: '\u2009' });

/** For the terminal. */
export const TERMINAL = new Formats({ minus: '-', nothing: '-', group: '' });

export type { Formats };

/**
 * A decimal price. One that lies between hundredths, the complement of a price of the exchange, has a third digit where prices are that
 * dense: below 10.
 */
export function odds(price: number): string {
  if (price >= 100) return price.toFixed(0);
  if (price >= 10) return price.toFixed(2);
  const text = price.toFixed(3);
  return text.endsWith('0') ? text.slice(0, -1) : text;
}

/** A price for whoever must see all of it. */
export const exactOdds = (price: number): string => String(Number(price.toFixed(6)));

/** A fair price, or the middle of two: it lies between ticks, and moves without changing its width. */
export const betweenTicks = (price: number): string => price.toFixed(3);

/** A number of which only so many digits mean something. */
export const significant = (value: number, digits: number): string =>
  String(Number(value.toPrecision(digits)));

/** A factor, such as that of a stake: as many digits as it needs, four at most. */
export const factor = (value: number): string => String(Number(value.toFixed(4)));

/** `2026-01-03 19:45:00.250` */
export const instant = (wallMs: number): string =>
  new Date(wallMs).toISOString().slice(0, 23).replace('T', ' ');

/** `2026-01-03 19:45:00` */
export const second = (wallMs: number): string => instant(wallMs).slice(0, 19);

/** `2026-01-03 19:45` */
export const minute = (wallMs: number): string => instant(wallMs).slice(0, 16);

/** `19:45:00` */
export const timeOfDay = (wallMs: number): string => instant(wallMs).slice(11, 19);

/** How old something is, or how long it still takes, in its largest unit. It grows while a person looks, so it has no digits that flicker. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** An age where there is room for a few letters: `43s`, `2m`, `3h`. */
export function shortAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 100) return `${seconds}s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes}m` : `${Math.round(minutes / 60)}h`;
}

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
