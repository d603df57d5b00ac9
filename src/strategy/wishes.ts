import type { EventView } from '../domain/event-view.ts';
import type { HedgeGoal, HedgeIntent, HedgeWay } from '../domain/hedge-intent.ts';
import type { QuoteIntent } from '../domain/quote-intent.ts';
import { plainText } from '../lib/plain-text.ts';
import { ignoreRejection, type ReportFault, shown, validIntents } from './intents.ts';

/** The quotes and hedges that a strategy wants on an event. */
export interface Wishes {
  readonly intents: readonly QuoteIntent[];
  /** Absent without one. */
  readonly hedges?: readonly HedgeIntent[];
}

/** The quotes and hedges of an answer that a strategy may ask for. Reports each fault and drops what it concerns. */
export function validWishes(view: EventView, wanted: readonly unknown[], report: ReportFault): Wishes {
  if (!wanted.some(isHedge)) return { intents: validIntents(view, wanted, report) };
  const quotes = wanted.filter((wish) => !isHedge(wish));
  const hedges = new Map<string, HedgeIntent>();
  for (const intent of wanted.filter(isHedge)) {
    const fault = faultOf(view, intent) ?? (hedges.has(intent.hedge) ? 'duplicate' : null);
    if (fault === null) hedges.set(intent.hedge, ownHedge(intent));
    else {
      ignoreRejection(intent);
      const refused = { direction: null, rule: 'hedge', intent: inWords(intent) } as const;
      report({ kind: 'invalid-intent', selectionId: null, message: cut(fault), refused });
    }
  }
  const intents = validIntents(view, quotes, report);
  return hedges.size === 0 ? { intents } : { intents, hedges: [...hedges.values()] };
}

/** Whether a wish of a strategy is a hedge; anything else is a quote. */
const isHedge = (wish: unknown): wish is HedgeIntent =>
  typeof wish === 'object' && wish !== null && 'hedge' in wish && wish.hedge !== undefined;

/** How a hedge breaks the rules of a strategy's hedges; null if it does not. */
function faultOf({ holdings = [], selections }: EventView, intent: HedgeIntent): string | null {
  const { hedge, goal, way, reason } = intent;
  if (typeof hedge !== 'string' || !HEDGE_ID.test(hedge))
    return `hedge ${shown(hedge)} is not an id: 1 to 60 printable characters`;
  if (way !== undefined && !WAYS.includes(way)) return `way ${shown(way)} is not known`;
  if (reason !== undefined && typeof reason !== 'string') return `reason is not a text but ${typeof reason}`;
  const known = [...selections, ...holdings].map(({ selectionId }) => selectionId);
  return faultOfGoal(fieldsOf(goal), (id) => known.some((each) => each === id));
}

const WAYS: readonly HedgeWay[] = ['take', 'offer'];

/** The bets of a hedge have its id with a number behind it as theirs, and the journal keeps these for good. */
const HEDGE_ID = /^[\x20-\x7e]{1,60}$/;

/** The fields of a goal as a strategy wrote it: of any value. */
type Fields = Readonly<Partial<Record<string, unknown>>>;

function faultOfGoal(
  { kind, boundMicros, mostLegs, marketType, selectionId }: Fields,
  isKnown: (selectionId: unknown) => boolean,
): string | null {
  if (kind === 'flatten')
    return isKnown(selectionId) ? null : 'the selection to flatten is not part of the view';
  if (kind === 'equalise')
    return marketType === null || typeof marketType === 'string'
      ? null
      : `goal.marketType ${shown(marketType)} is neither a text nor null`;
  if (kind !== 'bound') return `goal.kind ${shown(kind)} is not known`;
  if (!Number.isSafeInteger(boundMicros) || (boundMicros as number) < 0)
    return `goal.boundMicros ${shown(boundMicros)} is not a whole number of micros of 0 or more`;
  const isCount = mostLegs === undefined || COUNTS.includes(mostLegs);
  return isCount ? null : `goal.mostLegs ${shown(mostLegs)} is not 1, 2 or 3`;
}

const COUNTS: readonly unknown[] = [1, 2, 3];

const fieldsOf = (goal: unknown): Fields => (typeof goal === 'object' && goal !== null ? { ...goal } : {});

/** Copied, because the hedges are kept until the next answer and the strategy may reuse its objects. */
const ownHedge = ({ hedge, goal, way, reason }: HedgeIntent): HedgeIntent => ({
  hedge,
  goal: { ...goal } satisfies HedgeGoal,
  ...(way !== undefined && { way }),
  ...(reason !== undefined && { reason: cut(reason) }),
});

/** A hedge as its strategy wrote it. */
function inWords({ hedge, goal, way = 'take' }: HedgeIntent): string {
  const { kind, boundMicros, marketType, selectionId } = fieldsOf(goal);
  const of = boundMicros ?? marketType ?? selectionId ?? '';
  return cut(`hedge ${shown(hedge)}: ${shown(kind)} ${shown(of)}, ${shown(way)}`);
}

/** A value of any kind could be as long as the memory. */
const LONGEST = 200;

const cut = (text: string): string => plainText(text.slice(0, LONGEST)).toWellFormed();
