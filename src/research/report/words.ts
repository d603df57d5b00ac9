/** A fill and a figure in words. All amounts are formatted as the page formats them, so both agree. */
import { usdtOf } from '../../domain/money.ts';
import { type Formats, instant, odds, PAGE } from '../../lib/formats.ts';
import { priceOf } from '../../domain/ladder.ts';
import { type Scenario, SCENARIOS } from '../../fills/fill-model.ts';
import type { ResearchFill } from '../result.ts';
import type { ProfitSummary, SettlementSummary, Verdict } from '../summary.ts';
import type { Counterpart } from './counterparts.ts';

const CAUSES: Readonly<Record<ResearchFill['cause'], string>> = {
  trade: 'A recorded trade reached the order.',
  'book-crossed': 'Recorded stake of the other side appeared at the price of the order or beyond.',
  taken: 'The order crossed the recorded book when it arrived, and took what rested there.',
};

const RULES: Readonly<Record<Scenario, string>> = {
  touch: 'touch fills an order as soon as a trade prints at its price, as if nothing stood ahead of it',
  queue: 'queue fills an order after the stake ahead of it has traded or was cancelled',
  through: 'through fills an order only when a trade prints beyond its price',
};

/** The course of the order, in sentences. */
export function explainFill(fill: ResearchFill): string[] {
  const { direction, tick, stakeMicros, atMs, restedFromMs, cause, dataAgeMs } = fill;
  const rested = atMs - restedFromMs;
  return [
    `The ${direction} order at ${odds(priceOf(tick))} began to rest at ${instant(restedFromMs)}. ${PAGE.cents(usdtOf(stakeMicros))} of it was filled ${PAGE.lasting(rested)} later.`,
    fill.queueAheadMicros === 0
      ? 'No recorded stake stood ahead of it when it began to rest.'
      : `${PAGE.cents(usdtOf(fill.queueAheadMicros))} of recorded stake stood ahead of it when it began to rest.`,
    `${PAGE.cents(usdtOf(fill.tradedMicros))} traded at this price or better until the fill. ${CAUSES[cause]}`,
    `The data that the quote rested on were ${PAGE.lasting(dataAgeMs)} old.`,
    ...hedgeWords(fill),
  ];
}

/** That the fill is a bet of a hedge, and what it cost. */
function hedgeWords({ hedge, worthMicros }: ResearchFill): readonly string[] {
  if (hedge === null) return [];
  const worth =
    worthMicros === null
      ? ''
      : `, worth ${PAGE.gainInCents(usdtOf(worthMicros))} at the fair value just before it`;
  return [`It is a bet of the hedge “${hedge}”${worth}.`];
}

/** Whether a fill under `of` counts in another scenario, and why. */
export function explainCounterpart({ scenario, when, stakeMicros, atMs }: Counterpart, of: Scenario): string {
  const rule = `${RULES[scenario]}.`;
  if (when === 'same')
    return `It counts under ${scenario}, with ${PAGE.cents(usdtOf(stakeMicros))} at the same instant: ${rule}`;
  if (when === 'other-time')
    return `Under ${scenario} the same order got ${PAGE.cents(usdtOf(stakeMicros))}, first at ${instant(atMs ?? 0)}: ${rule}`;
  // For equal orders a more generous scenario fills at least as much.
  if (SCENARIOS.indexOf(scenario) < SCENARIOS.indexOf(of))
    return `It does not count under ${scenario}: this order did not exist there, because another position gave other quotes.`;
  return `It does not count under ${scenario}: ${rule} Or this order did not exist there, because another position gave other quotes.`;
}

/** Beyond so many standard deviations, luck alone is a poor explanation. */
const LUCKY_SIGMAS = 2;

/** How far settlement is from luck, in a sentence. */
export function explainLuck({ sigmasFromLuck: sigmas }: SettlementSummary): string {
  if (sigmas === null) return 'Without results and fair values nothing tells luck from an edge.';
  const side = sigmas < 0 ? 'below' : 'above';
  const distance = `Settlement is ${PAGE.decimal(Math.abs(sigmas), 1)} standard deviations ${side} what the fair values at the fills expected`;
  return Math.abs(sigmas) < LUCKY_SIGMAS
    ? `${distance}: luck explains the difference.`
    : `${distance}: luck alone rarely explains so much.`;
}

/** How many events with bets have a result, what these paid, and what the bets on the others are worth. */
export function explainResults(
  { events, open, afterCommissionMicros }: ProfitSummary,
  formats: Formats,
): string {
  if (events === 0) return 'no bets';
  const settled = events - open.events;
  const share = `${formats.whole(settled)} of ${formats.whole(events)} event${events === 1 ? '' : 's'} with bets settled`;
  if (open.events === 0) return share;
  const fills = `${formats.whole(open.fills)} ${open.fills === 1 ? 'fill' : 'fills'}`;
  const worth = `at their last fair values: ${formats.gainInCents(usdtOf(open.markedMicros))}`;
  if (settled === 0) return `${share}; the ${fills}, ${worth}`;
  const paid = `${formats.gainInCents(usdtOf(afterCommissionMicros))} after commission`;
  return `${share}, for ${paid}; the other ${formats.whole(open.events)} (${fills}), ${worth}`;
}

const JUDGES: Readonly<Record<Verdict['phase'], string>> = {
  'before play': 'closing line',
  'in play': 'marks after 60 s',
};

const VERDICTS: Readonly<Record<Verdict['says'], string>> = {
  gains: 'the strategy gains',
  loses: 'the strategy loses',
  open: 'nothing is shown',
  'not measurable': 'not measurable',
  'not robust': 'not robust',
};

/** The verdict of the fills of a phase, in a sentence. */
export function explainVerdict(
  { phase, says, estimate, lateShare, range }: Verdict,
  formats: Formats,
): string {
  const found = `${VERDICTS[says]}; ${formats.percentGain(estimate.mean)} of stake by the ${JUDGES[phase]}`;
  if (says === 'not measurable')
    return `${found}, and ${formats.percent(lateShare)} of the risk has a late mark or none.`;
  if (says === 'not robust' && range !== null)
    return `${found}, and from ${formats.percentGain(range[0])} to ${formats.percentGain(range[1])} with half or double of a number of the fair value.`;
  return estimate.reason === null ? `${found}.` : `${found}, without an interval (${estimate.reason}).`;
}
