/** Quotes over time: what was wanted, from when until when. */
import { eventKey, type EventName, eventNameOf } from '../../domain/events.ts';
import type { EventKey, SelectionId } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import type { Tick } from '../../domain/ladder.ts';
import { type IntentKey, intentKey, type QuoteIntent } from '../../domain/quote-intent.ts';
import type { Direction } from '../../domain/selection.ts';

/** A quote that was wanted without a change. */
export interface QuoteLine {
  readonly event: EventName;
  readonly key: IntentKey;
  readonly selectionId: SelectionId;
  readonly direction: Direction;
  readonly tick: Tick;
  readonly stakeMicros: Micros;
  /** Wall-clock milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
}

type Begun = Omit<QuoteLine, 'toMs'>;

type WantedQuote = Pick<QuoteIntent, 'selectionId' | 'direction' | 'level' | 'tick' | 'stakeMicros'>;

/** Follows the quotes of one way to decide. */
export class QuoteLines {
  readonly #ended: QuoteLine[] = [];
  readonly #standing = new Map<EventKey, Map<IntentKey, Begun>>();

  /** The complete set of quotes of an event from now on. */
  note(name: EventName, targets: readonly WantedQuote[], atMs: number): void {
    const event = eventNameOf(name);
    const standing = this.#standing.get(eventKey(event)) ?? new Map<IntentKey, Begun>();
    this.#standing.set(eventKey(event), standing);
    const wanted = new Map(targets.map((intent) => [intentKey(intent), intent]));
    for (const [key, line] of standing) {
      const intent = wanted.get(key);
      if (intent !== undefined && isSame(line, intent)) continue;
      standing.delete(key);
      if (atMs > line.fromMs) this.#ended.push({ ...line, toMs: atMs });
    }
    for (const [key, { selectionId, direction, tick, stakeMicros }] of wanted)
      if (!standing.has(key))
        standing.set(key, { event, key, selectionId, direction, tick, stakeMicros, fromMs: atMs });
  }

  /** The quotes that stand now, of one event. */
  standing(event: EventName): ReadonlyMap<IntentKey, Begun> {
    return this.#standing.get(eventKey(event)) ?? new Map();
  }

  /** Every line, those that still stand until `endMs`; by their beginning. */
  lines(endMs: number): QuoteLine[] {
    const open = [...this.#standing.values()].flatMap((lines) => [...lines.values()]);
    const all = [...this.#ended, ...open.map((line) => ({ ...line, toMs: Math.max(endMs, line.fromMs) }))];
    return all.sort((a, b) => a.fromMs - b.fromMs);
  }
}

const isSame = (line: Begun, { tick, stakeMicros }: WantedQuote): boolean =>
  line.tick === tick && line.stakeMicros === stakeMicros;
