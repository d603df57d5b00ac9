import { type Observable, Subject } from 'rxjs';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import { LAST_TICK } from '../../domain/ladder.ts';
import { betterBy } from '../../domain/odds.ts';
import { kindOfIntent, type QuoteIntent } from '../../domain/quote-intent.ts';

/** What a person wants of an event, beside its trading state. The values that change nothing end an earlier one. */
export type Adjustment =
  /** The daemon neither quotes on the event nor closes what rests there. `false` changes nothing. */
  | { readonly what: 'leave'; readonly isLeft: boolean }
  /** The stakes of the strategy's quotes are multiplied. 1 changes nothing. */
  | { readonly what: 'stake'; readonly factor: number }
  /** The strategy's quotes rest this many ticks further from fair. 0 changes nothing. */
  | { readonly what: 'widen'; readonly ticks: number };

/** An adjustment in force, and as it is persisted. */
export type AdjustmentRecord = Adjustment & {
  readonly event: EventName;
  readonly by: string;
  readonly why: string;
  /** Wall-clock milliseconds, like `untilMs`. */
  readonly atMs: number;
  /** When it ends by itself; null: it stands until it is replaced. */
  readonly untilMs: number | null;
};

/** A change of the adjustments. */
export interface AdjustmentChange {
  /** `over`: its time was up, or its event ended. */
  readonly kind: 'made' | 'ended' | 'over';
  readonly record: AdjustmentRecord;
}

const NONE: readonly AdjustmentRecord[] = [];

/**
 * What persons want of events beside their trading states. Stakes and prices change before the quotes reach risk, so that no adjustment passes a
 * limit.
 */
export class Adjustments {
  readonly #byEvent = new Map<EventKey, readonly AdjustmentRecord[]>();
  readonly #change$ = new Subject<AdjustmentChange>();
  readonly #wake$ = new Subject<EventName>();

  /** Each change that must survive a restart. */
  get change$(): Observable<AdjustmentChange> {
    return this.#change$;
  }

  /** Events to decide again. */
  get wake$(): Observable<EventName> {
    return this.#wake$;
  }

  /** Replaces the adjustment of the same kind. One that changes nothing ends it. */
  set(record: AdjustmentRecord): void {
    const others = this.of(record.event).filter(({ what }) => what !== record.what);
    const isOn = changesSomething(record);
    this.#keep(record.event, isOn ? [...others, record] : others);
    this.#tell({ kind: isOn ? 'made' : 'ended', record });
  }

  /** The adjustments of an event that are in force. */
  of(event: EventName): readonly AdjustmentRecord[] {
    return this.#byEvent.get(eventKey(event)) ?? NONE;
  }

  /** Whether nothing is to be placed or closed on an event. */
  isLeft(event: EventName): boolean {
    return this.of(event).some(({ what }) => what === 'leave');
  }

  /** The quotes of a strategy as they are wanted now. Its takes stay as they are. */
  adjusted(event: EventName, intents: readonly QuoteIntent[]): readonly QuoteIntent[] {
    const records = this.of(event);
    if (records.length === 0) return intents;
    return intents.map((intent) => (intent.take === undefined ? records.reduce(applied, intent) : intent));
  }

  /** Ends those whose time is over. */
  expire(wallMs: number): void {
    if (this.#byEvent.size === 0) return;
    for (const record of this.records())
      if (record.untilMs !== null && record.untilMs <= wallMs) this.#end(record);
  }

  /** The event is over. */
  forget(event: EventName): void {
    for (const record of this.of(event)) this.#end(record);
  }

  /** How many events have any. */
  get size(): number {
    return this.#byEvent.size;
  }

  records(): readonly AdjustmentRecord[] {
    return [...this.#byEvent.values()].flat();
  }

  /** Takes over those of an earlier run. */
  restore(records: readonly AdjustmentRecord[]): void {
    for (const record of records) this.#keep(record.event, [...this.of(record.event), record]);
  }

  #end(record: AdjustmentRecord): void {
    this.#keep(
      record.event,
      this.of(record.event).filter((each) => each !== record),
    );
    this.#tell({ kind: 'over', record });
  }

  #keep(event: EventName, records: readonly AdjustmentRecord[]): void {
    if (records.length === 0) this.#byEvent.delete(eventKey(event));
    else this.#byEvent.set(eventKey(event), records);
  }

  #tell(change: AdjustmentChange): void {
    this.#change$.next(change);
    this.#wake$.next(change.record.event);
  }
}

function changesSomething(adjustment: Adjustment): boolean {
  if (adjustment.what === 'leave') return adjustment.isLeft;
  return adjustment.what === 'stake' ? adjustment.factor !== 1 : adjustment.ticks !== 0;
}

function applied(intent: QuoteIntent, adjustment: Adjustment): QuoteIntent {
  if (adjustment.what === 'leave') return intent;
  if (adjustment.what === 'widen') {
    const tick = betterBy(kindOfIntent(intent), intent.tick, adjustment.ticks);
    return { ...intent, tick: Math.min(LAST_TICK, Math.max(0, tick)) };
  }
  const { factor } = adjustment;
  const { stakeMicros, valueMicrosPerS } = intent;
  return {
    ...intent,
    stakeMicros: Math.round(stakeMicros * factor),
    ...(valueMicrosPerS !== undefined && { valueMicrosPerS: valueMicrosPerS * factor }),
  };
}
