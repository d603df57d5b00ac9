import type { Micros } from '../domain/money.ts';
import { toMicros } from '../domain/money.ts';
import type { RiskLimits } from './limits.ts';
import { scopeName } from './trading-states.ts';

/** Whose result: the account's, or one strategy's. */
export type ResultOf =
  { readonly kind: 'account' } | { readonly kind: 'strategy'; readonly strategy: string };

/** A loss limit that is reached. */
export interface LossBreach {
  readonly of: ResultOf;
  readonly since: 'day' | 'peak';
  readonly lossMicros: Micros;
  readonly limitMicros: Micros;
}

/** Results relative to the start of the UTC day and to the peak, so that they outlive totals which start anew. */
export interface ResultRecord {
  readonly of: ResultOf;
  readonly day: number;
  readonly dayMicros: Micros;
  readonly fromPeakMicros: Micros;
}

interface Course {
  readonly of: ResultOf;
  day: number;
  dayStartMicros: Micros;
  peakMicros: Micros;
  lastMicros: Micros;
}

const MS_PER_DAY = 86_400_000;

/** A clock that is back on the day before was set back around midnight: the later day goes on. */
const isStill = (day: number, now: number): boolean => now === day || now === day - 1;

/** Follows profit and loss, marked to the market, and says when a loss limit is reached. */
export class LossWatch {
  #limits: RiskLimits['loss'];
  readonly #courses = new Map<string, Course>();
  readonly #restored = new Map<string, ResultRecord>();

  constructor(limits: RiskLimits['loss']) {
    this.#limits = limits;
  }

  setLimits(limits: RiskLimits['loss']): void {
    this.#limits = limits;
  }

  /** Takes a total, counted from any fixed point. */
  observe(of: ResultOf, totalMicros: Micros, wallMs: number): readonly LossBreach[] {
    const day = Math.floor(wallMs / MS_PER_DAY);
    const course = this.#courses.get(scopeName(of)) ?? this.#begin(of, totalMicros, day);
    if (!isStill(course.day, day)) Object.assign(course, { day, dayStartMicros: course.lastMicros });
    course.lastMicros = totalMicros;
    course.peakMicros = Math.max(course.peakMicros, totalMicros);
    return this.#breaches(course);
  }

  /** A person has looked at the losses so far and wants to go on: they no longer count. */
  rebase(): void {
    for (const course of this.#courses.values()) {
      Object.assign(course, { dayStartMicros: course.lastMicros, peakMicros: course.lastMicros });
    }
    this.#restored.clear();
  }

  records(): readonly ResultRecord[] {
    const current = Array.from(
      this.#courses.values(),
      ({ of, day, dayStartMicros, peakMicros, lastMicros }) => ({
        ...{ of, day, dayMicros: lastMicros - dayStartMicros, fromPeakMicros: lastMicros - peakMicros },
      }),
    );
    return [...this.#restored.values(), ...current];
  }

  restore(records: readonly ResultRecord[]): void {
    for (const record of records) this.#restored.set(scopeName(record.of), record);
  }

  #begin(of: ResultOf, totalMicros: Micros, day: number): Course {
    const earlier = this.#restored.get(scopeName(of));
    this.#restored.delete(scopeName(of));
    const goesOn = earlier !== undefined && isStill(earlier.day, day);
    const course: Course = {
      of,
      day: goesOn ? earlier.day : day,
      dayStartMicros: totalMicros - (goesOn ? earlier.dayMicros : 0),
      peakMicros: totalMicros - (earlier?.fromPeakMicros ?? 0),
      lastMicros: totalMicros,
    };
    this.#courses.set(scopeName(of), course);
    return course;
  }

  #breaches({ of, dayStartMicros, peakMicros, lastMicros }: Course): readonly LossBreach[] {
    const limits = this.#limitsOf(of);
    const losses = [
      { since: 'day', lossMicros: dayStartMicros - lastMicros, limitMicros: toMicros(limits.day) },
      { since: 'peak', lossMicros: peakMicros - lastMicros, limitMicros: toMicros(limits.peak) },
    ] as const;
    return losses.filter((loss) => loss.lossMicros >= loss.limitMicros).map((loss) => ({ of, ...loss }));
  }

  #limitsOf({ kind }: ResultOf): { readonly day: number; readonly peak: number } {
    const { dayUsdt, fromPeakUsdt, strategyDayUsdt, strategyFromPeakUsdt } = this.#limits;
    if (kind === 'account') return { day: dayUsdt, peak: fromPeakUsdt };
    return { day: strategyDayUsdt, peak: strategyFromPeakUsdt };
  }
}
