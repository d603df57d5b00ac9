import type { EventName } from '../../domain/events.ts';
import type { QuoteIntent } from '../../domain/quote-intent.ts';
import { quotesBeside } from '../hedging/hedges.ts';
import { type AdjustmentRecord, Adjustments } from './adjustments.ts';
import { type HandQuote, HandQuotes } from './hand-quotes.ts';

/** What persons want of events, beside what strategies want. Most of the time they want nothing: then a decision asks no further. */
export class ByHand {
  readonly adjustments = new Adjustments();
  readonly quotes = new HandQuotes();

  /** Takes over what persons wanted in an earlier run. */
  restore(adjustments: readonly AdjustmentRecord[], quotes: readonly HandQuote[]): void {
    this.adjustments.restore(adjustments);
    this.quotes.restore(quotes);
  }

  /** The strategy's quotes of an event as persons adjust them, and those of persons. Quotes that would match those of a person give way. */
  wanted(
    event: EventName,
    { owner, intents }: { readonly owner: string | null; readonly intents: readonly QuoteIntent[] },
    nowMs: number,
  ): readonly QuoteIntent[] {
    if (this.#isIdle) return intents;
    const adjusted = this.adjustments.adjusted(event, intents);
    const byHand = owner === null ? [] : this.quotes.intentsOn(event, nowMs);
    return byHand.length === 0 ? adjusted : [...quotesBeside(byHand, adjusted), ...byHand];
  }

  /** Whether a person leaves an event as it is. */
  isLeft(event: EventName): boolean {
    return !this.#isIdle && this.adjustments.isLeft(event);
  }

  get #isIdle(): boolean {
    return this.adjustments.size + this.quotes.size === 0;
  }
}
