import { DAY_MS } from './time.ts';

/** How an account divides time into trading days. */
export interface TradingDaySettings {
  /** An IANA name, such as `Europe/London`. */
  readonly timeZone: string;
  /** The local hour at which a day begins, 0 to 23. */
  readonly startHour: number;
}

/** Trading days of one setting. Instants are wall-clock milliseconds. */
export interface TradingDays {
  /** The days from 1970-01-01 to the day that holds an instant. A later instant never has a lower number. */
  numberOf(wallMs: number): number;
  /** The name of the day that holds an instant: the local date on which the day began, as `YYYY-MM-DD`. */
  nameOf(wallMs: number): string;
  /** The first instant of the next day. */
  endOf(wallMs: number): number;
}

/** Since 1972 every zone changes its offset at a multiple of this, and every local hour begins at one. */
const STEP_MS = 900_000;
/** Longer than any day: the clocks of some polar stations were set by three hours. */
const LONGEST_DAY_STEPS = (30 * 3_600_000) / STEP_MS;

/** The name of a day by its number. */
export const dayName = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Days of UTC, which is the default. */
export const UTC_DAYS: TradingDays = {
  numberOf: (wallMs) => Math.floor(wallMs / DAY_MS),
  nameOf: (wallMs) => dayName(Math.floor(wallMs / DAY_MS)),
  endOf: (wallMs) => (Math.floor(wallMs / DAY_MS) + 1) * DAY_MS,
};

/** Whether a text names a time zone that this machine knows. */
export function isTimeZone(name: unknown): boolean {
  if (typeof name !== 'string' || name.trim() === '') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * Trading days by the clocks of a time zone. A day begins when local clocks first show the hour, so it has 23 or 25 hours where
 * clocks are set by one. Throws RangeError if the time zone is unknown.
 */
export function tradingDays({ timeZone, startHour }: TradingDaySettings): TradingDays {
  if (timeZone === 'UTC' && startHour === 0) return UTC_DAYS;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
  });
  /** The number of a step never changes, so the last answer is kept. */
  let known = { step: NaN, day: NaN };
  const ofStep = (step: number): number => {
    if (step !== known.step) known = { step, day: localDay(format, step * STEP_MS, startHour) };
    return known.day;
  };
  const numberOf = (wallMs: number): number => ofStep(Math.floor(wallMs / STEP_MS));
  return {
    numberOf,
    nameOf: (wallMs) => dayName(numberOf(wallMs)),
    endOf(wallMs) {
      const day = numberOf(wallMs);
      let [within, after] = [Math.floor(wallMs / STEP_MS), Math.floor(wallMs / STEP_MS) + LONGEST_DAY_STEPS];
      while (after - within > 1) {
        const middle = Math.floor((within + after) / 2);
        if (ofStep(middle) > day) after = middle;
        else within = middle;
      }
      return after * STEP_MS;
    },
  };
}

function localDay(format: Intl.DateTimeFormat, wallMs: number, startHour: number): number {
  const parts = new Map(format.formatToParts(wallMs).map(({ type, value }) => [type, Number(value)]));
  const [year = NaN, month = NaN, day = NaN] = [parts.get('year'), parts.get('month'), parts.get('day')];
  const date = Date.UTC(year, month - 1, day) / DAY_MS;
  return (parts.get('hour') ?? 0) < startHour ? date - 1 : date;
}
