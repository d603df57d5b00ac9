/** The facts of recorded or modelled markets, as a table by sport and phase. */
import { seededRandom } from '../../lib/random.ts';
import { intervalOf } from '../statistics/bootstrap.ts';
import { LEAST_DAYS } from '../statistics/summarise.ts';
import type { EventTape } from '../tape.ts';
import { measure } from './event-pass.ts';
import { FIGURES, type Phase, PHASES, Samples } from './samples.ts';

/** A figure of a sport in a phase: the mean over match days. */
export interface Fact {
  readonly sport: string;
  readonly phase: Phase;
  readonly figure: string;
  readonly unit: string;
  /** Null where nothing was measured. */
  readonly value: number | null;
  /** Of 95 %; null for fewer than 30 days, or for days that do not differ. */
  readonly interval: readonly [number, number] | null;
  /** Match days with a value. */
  readonly days: number;
}

/** Gathers tapes, and tells the facts of all. */
export class MarketFacts {
  readonly #samples = new Map<string, Samples>();

  add(tape: EventTape): void {
    const day = new Date(tape.startMs).toISOString().slice(0, 10);
    measure(tape, (phase) => this.#of(tape.event.sport, phase, day));
  }

  facts(): Fact[] {
    const sports = new Set(Array.from(this.#samples.keys(), (key) => partsOf(key).sport));
    return [...sports].sort().flatMap((sport) => PHASES.flatMap((phase) => this.#factsOf(sport, phase)));
  }

  #factsOf(sport: string, phase: Phase): Fact[] {
    const days = [...this.#samples].flatMap(([key, samples]) => {
      const parts = partsOf(key);
      return parts.sport === sport && parts.phase === phase ? [samples] : [];
    });
    if (days.length === 0) return [];
    return FIGURES.map(({ name, unit, of }) => {
      const values = days.map(of).filter((value) => value !== null);
      const sums = values.map((worth) => ({ worth, stake: 1 }));
      const random = seededRandom(1, `${sport} ${phase} ${name}`);
      return {
        sport,
        phase,
        figure: name,
        unit,
        days: values.length,
        value: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
        interval: values.length < LEAST_DAYS ? null : (intervalOf(sums, random)?.interval ?? null),
      };
    });
  }

  #of(sport: string, phase: Phase, day: string): Samples {
    const key = `${sport}|${phase}|${day}`;
    const known = this.#samples.get(key) ?? new Samples();
    this.#samples.set(key, known);
    return known;
  }
}

function partsOf(key: string): { readonly sport: string; readonly phase: string } {
  const [sport = '', phase = ''] = key.split('|');
  return { sport, phase };
}
