import { type Micros, toMicros } from '../../domain/money.ts';
import { DAY_MS } from '../../lib/time.ts';
import { type TradingDays, UTC_DAYS } from '../../lib/trading-day.ts';
import type { RiskLimits } from '../limits/limits.ts';
import type { LimitsOfStrategies } from '../limits/strategy-limits.ts';
import { scopeName } from './trading-states.ts';

/** Whose result: the account's, or one strategy's. */
export type ResultOf =
  | { readonly kind: 'account' }
  | { readonly kind: 'strategy'; readonly strategy: string };

/** A loss limit that is reached. */
export interface LossBreach {
  readonly of: ResultOf;
  readonly since: 'day' | 'peak';
  readonly lossMicros: Micros;
  readonly limitMicros: Micros;
}

/** A result relative to the start of the trading day and to the peak, and the last known total. */
export interface ResultRecord {
  readonly of: ResultOf;
  /** The number of the day, as `TradingDays` counts. */
  readonly day: number;
  readonly dayMicros: Micros;
  readonly fromPeakMicros: Micros;
  /**
   * A change of this total counts, also one while no run watched. The field is absent for a strategy that has not traded since
   * the restart, once another has: its result continues from its next total, whatever that is.
   */
  readonly totalMicros?: Micros;
  /** Other days that the clock was on lately: it may be set back to one. The field is absent where no day is known, or no total. */
  readonly otherDays?: readonly DayResult[];
}

interface DayResult {
  readonly day: number;
  readonly dayMicros: Micros;
  /** Milliseconds since the clock last showed that day. */
  readonly unseenMs: number;
}

/** Results that a person has accepted: only changes after the last known total count. */
export const seenResults = (records: Iterable<ResultRecord>): readonly ResultRecord[] =>
  Array.from(records).flatMap(({ of, day, totalMicros }) =>
    totalMicros === undefined ? [] : [{ of, day, dayMicros: 0, fromPeakMicros: 0, totalMicros }],
  );

interface Course {
  readonly of: ResultOf;
  day: number;
  /** Today, and other days that the clock showed lately: a wrong clock, once corrected, returns to one of them. */
  readonly days: Map<number, DayCourse>;
  peakMicros: Micros;
  lastMicros: Micros;
}

interface DayCourse {
  readonly startMicros: Micros;
  /** Monotonic instant at which the clock last showed this day. */
  readonly seenMs: number;
}

/** Follows profit and loss, marked to the market, and reports when a loss limit is reached. */
export class LossWatch {
  #limits: RiskLimits['loss'];
  #ofStrategies: LimitsOfStrategies;
  readonly #days: Pick<TradingDays, 'numberOf'>;
  readonly #courses = new Map<string, Course>();
  readonly #restored = new Map<string, ResultRecord>();

  constructor(
    limits: RiskLimits['loss'],
    ofStrategies: LimitsOfStrategies = new Map(),
    days: Pick<TradingDays, 'numberOf'> = UTC_DAYS,
  ) {
    [this.#limits, this.#ofStrategies, this.#days] = [limits, ofStrategies, days];
  }

  setLimits(limits: RiskLimits['loss'], ofStrategies = this.#ofStrategies): void {
    [this.#limits, this.#ofStrategies] = [limits, ofStrategies];
  }

  /** Takes a total, counted from a fixed point that a restart does not move. `nowMs` is monotonic. */
  observe(of: ResultOf, totalMicros: Micros, wallMs: number, nowMs: number): readonly LossBreach[] {
    const day = this.#days.numberOf(wallMs);
    const course = this.#courses.get(scopeName(of)) ?? this.#begin(of, totalMicros, day, nowMs);
    moveToDay(course, day, nowMs);
    course.lastMicros = totalMicros;
    course.peakMicros = Math.max(course.peakMicros, totalMicros);
    return this.#breaches(course);
  }

  /** A person accepts the losses so far and resumes: they no longer count. */
  rebase(): void {
    for (const course of this.#courses.values()) {
      const { day, days, lastMicros } = course;
      const seenMs = days.get(day)?.seenMs ?? -Infinity;
      days.clear();
      days.set(day, { startMicros: lastMicros, seenMs });
      course.peakMicros = lastMicros;
    }
    const seen = seenResults(this.#restored.values());
    this.#restored.clear();
    this.restore(seen);
  }

  /** The result of the day and from the peak, as last observed or restored; 0 before that. */
  resultOf(of: ResultOf): Pick<ResultRecord, 'dayMicros' | 'fromPeakMicros'> {
    const course = this.#courses.get(scopeName(of));
    const { dayMicros = 0, fromPeakMicros = 0 } =
      course === undefined ? (this.#restored.get(scopeName(of)) ?? {}) : recordOf(course);
    return { dayMicros, fromPeakMicros };
  }

  records(): readonly ResultRecord[] {
    const current = Array.from(this.#courses.values(), recordOf);
    return [...this.#unobserved(), ...current];
  }

  /**
   * Results of earlier runs that have no total in this run yet. Once one strategy trades, the total changes with its
   * trades. The results of the others are then recorded without a total, and continue from their next total.
   */
  #unobserved(): readonly ResultRecord[] {
    const restored = [...this.#restored.values()];
    if (this.#courses.size === 0) return restored;
    return restored.map(({ of, day, dayMicros, fromPeakMicros }) => ({ of, day, dayMicros, fromPeakMicros }));
  }

  restore(records: readonly ResultRecord[]): void {
    for (const record of records) this.#restored.set(scopeName(record.of), record);
  }

  #begin(of: ResultOf, totalMicros: Micros, day: number, nowMs: number): Course {
    const earlier = this.#restored.get(scopeName(of));
    this.#restored.delete(scopeName(of));
    const lastMicros = earlier?.totalMicros ?? totalMicros;
    const course: Course = {
      of,
      day: earlier?.day ?? day,
      lastMicros,
      days: daysOf(earlier, lastMicros, nowMs),
      peakMicros: lastMicros - (earlier?.fromPeakMicros ?? 0),
    };
    this.#courses.set(scopeName(of), course);
    return course;
  }

  #breaches(course: Course): readonly LossBreach[] {
    const { of, peakMicros, lastMicros } = course;
    const limits = this.#limitsOf(of);
    const losses = [
      { since: 'day', lossMicros: dayStartMicros(course) - lastMicros, limitMicros: toMicros(limits.day) },
      { since: 'peak', lossMicros: peakMicros - lastMicros, limitMicros: toMicros(limits.peak) },
    ] as const;
    return losses.filter((loss) => loss.lossMicros >= loss.limitMicros).map((loss) => ({ of, ...loss }));
  }

  #limitsOf(of: ResultOf): { readonly day: number; readonly peak: number } {
    const { dayUsdt, fromPeakUsdt, strategyDayUsdt, strategyFromPeakUsdt } = this.#limits;
    if (of.kind === 'account') return { day: dayUsdt, peak: fromPeakUsdt };
    const own = this.#ofStrategies.get(of.strategy);
    return {
      day: own?.lossOfDayUsdt ?? strategyDayUsdt,
      peak: own?.lossFromPeakUsdt ?? strategyFromPeakUsdt,
    };
  }
}

/**
 * Moves a course to the day of the clock. A new day starts at the last total. A day to which the clock was set back starts
 * where the day before the change started. A day is over for good once the clock has not shown it for 24 hours, whatever
 * the clock shows now.
 */
function moveToDay(course: Course, day: number, nowMs: number): void {
  const { days, lastMicros, day: before } = course;
  for (const [known, { seenMs }] of days) if (nowMs - seenMs >= DAY_MS) days.delete(known);
  const begun = days.get(day) ?? (day < before ? days.get(before) : undefined);
  days.set(day, { startMicros: begun?.startMicros ?? lastMicros, seenMs: nowMs });
  course.day = day;
}

const recordOf = (course: Course): ResultRecord => ({
  of: course.of,
  day: course.day,
  dayMicros: course.lastMicros - dayStartMicros(course),
  fromPeakMicros: course.lastMicros - course.peakMicros,
  totalMicros: course.lastMicros,
  otherDays: otherDaysOf(course),
});

const dayStartMicros = ({ day, days, lastMicros }: Course): Micros =>
  days.get(day)?.startMicros ?? lastMicros;

/** The recorded days, on the clock of this run. No day ages between runs. */
function daysOf(
  earlier: ResultRecord | undefined,
  lastMicros: Micros,
  nowMs: number,
): Map<number, DayCourse> {
  if (earlier === undefined) return new Map();
  const known: readonly DayResult[] = [...(earlier.otherDays ?? []), { ...earlier, unseenMs: 0 }];
  return new Map(
    known.map(({ day, dayMicros, unseenMs }) => [
      day,
      { startMicros: lastMicros - dayMicros, seenMs: nowMs - unseenMs },
    ]),
  );
}

function otherDaysOf({ day: today, days, lastMicros }: Course): readonly DayResult[] {
  const nowMs = days.get(today)?.seenMs ?? 0;
  return [...days].flatMap(([day, { startMicros, seenMs }]) =>
    day === today ? [] : [{ day, dayMicros: lastMicros - startMicros, unseenMs: nowMs - seenMs }],
  );
}
