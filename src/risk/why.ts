import type { Refusal } from '../domain/approval.ts';
import type { EventName } from '../domain/events.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { PriceKind } from '../domain/odds.ts';
import { type Direction, DIRECTIONS, isSelectionOf } from '../domain/selection.ts';
import type { ActiveAlarm } from './guards/alarm.ts';
import type { EffectiveState } from './states/trading-states.ts';

/** The stages of a quote, in order. A quote that one stage stops does not reach the next. */
export const STAGES = [
  'universe',
  'market',
  'strategy',
  'person',
  'state',
  'guard',
  'risk',
  'budget',
  'orders',
] as const;

export type Stage = (typeof STAGES)[number];

/** A stage's reason for blocking a quote. */
export interface StageVerdict {
  readonly stage: Stage;
  /** Null: both directions. */
  readonly direction: Direction | null;
  readonly code: string;
  readonly message: string;
  readonly actual: Refusal['actual'];
  readonly limit: Refusal['limit'];
  /** Monotonic milliseconds of the latest occurrence. */
  readonly atMs: number;
}

/** A quote as the strategy wanted it when last asked. */
export interface WantedQuote {
  readonly direction: Direction;
  readonly level: number;
  /** What the price is. Price and stake are the exchange's own terms. */
  readonly priceKind: PriceKind;
  readonly price: number;
  readonly stakeMicros: number;
  /** Why the strategy wants it, in the strategy's own words; absent if it gave none. */
  readonly reason?: string;
}

export interface WhyReport {
  readonly selectionId: SelectionId;
  readonly wanted: readonly WantedQuote[];
  /** Sorted by stage. */
  readonly verdicts: readonly StageVerdict[];
  /** The reason that keeps each direction from being quoted; null when nothing does. */
  readonly reason: Readonly<Record<Direction, string | null>>;
  readonly state: EffectiveState;
  readonly alarms: readonly ActiveAlarm[];
}

type Notes = Map<string, StageVerdict>;

/** Remembers the last verdict of each stage, for each selection. */
export class LatestVerdicts {
  readonly #notes = new Map<SelectionId, Notes>();
  readonly #wanted = new Map<SelectionId, readonly WantedQuote[]>();

  want(selectionId: SelectionId, quotes: readonly WantedQuote[]): void {
    this.#wanted.set(selectionId, quotes);
  }

  wanted(selectionId: SelectionId): readonly WantedQuote[] {
    return this.#wanted.get(selectionId) ?? [];
  }

  note(selectionId: SelectionId, verdict: StageVerdict): void {
    const notes = this.#notes.get(selectionId) ?? (new Map() as Notes);
    notes.set(slotOf(verdict.stage, verdict.direction), verdict);
    this.#notes.set(selectionId, notes);
  }

  /** The stage let the selection through: drops its earlier verdict. */
  clear(selectionId: SelectionId, stage: Stage, direction: Direction | null): void {
    const notes = this.#notes.get(selectionId);
    notes?.delete(slotOf(stage, direction));
    if (notes?.size === 0) this.#notes.delete(selectionId);
  }

  verdicts(selectionId: SelectionId): readonly StageVerdict[] {
    const notes = [...(this.#notes.get(selectionId)?.values() ?? [])];
    return notes.sort((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage));
  }

  /** How many directions of selections each reason keeps from being quoted. */
  reasons(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const id of this.#notes.keys()) {
      for (const reason of Object.values(reasonsOf(this.verdicts(id)))) {
        if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    }
    return counts;
  }

  /** The selections of an event that have verdicts or wanted quotes. */
  selectionsOf(event: EventName): readonly SelectionId[] {
    const known = new Set([...this.#notes.keys(), ...this.#wanted.keys()]);
    return [...known].filter((id) => isSelectionOf(event, id));
  }

  forget(selectionId: SelectionId): void {
    this.#notes.delete(selectionId);
    this.#wanted.delete(selectionId);
  }
}

const slotOf = (stage: Stage, direction: Direction | null): string => `${stage} ${direction}`;

/** The earliest stage's code for each direction. */
export function reasonsOf(verdicts: readonly StageVerdict[]): Record<Direction, string | null> {
  const [forReason, againstReason] = DIRECTIONS.map((direction) => {
    const first = verdicts.find((verdict) => verdict.direction === null || verdict.direction === direction);
    return first === undefined ? null : `${first.stage}.${first.code}`;
  });
  return { for: forReason ?? null, against: againstReason ?? null };
}
